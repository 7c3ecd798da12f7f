public import JunctorCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

extension Wiring {
  /// Renders the wiring in any format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - theme: the colours, where the format has some.
  /// - Returns: the rendering, ended by a newline.
  /// - Throws: `WiringError` if the format is `svg` and Graphviz is missing or fails.
  /// - Complexity: O(nodes + edges), but for `svg`.
  public func rendered(
    as format: WiringFormat, theme: WiringTheme = .light
  ) throws(WiringError) -> String {
    switch format {
    case .json: json()
    case .dot: dot(theme: theme)
    case .mermaid: mermaid(theme: theme)
    case .svg: try svg(theme: theme)
    default: text()
    }
  }

  /// Writes the wiring to a file, in the format that its suffix stands for.
  ///
  /// The suffixes are `.txt`, `.json`, `.dot`, `.mmd` and `.svg`. A file that is there is replaced at one stroke, or left
  /// as it was if anything fails.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - theme: the colours, where the format has some.
  /// - Throws: `WiringError` with the code `unknownFormat`, `unwritable`, or one of Graphviz's.
  /// - Complexity: O(nodes + edges), but for `svg`.
  public func write(to path: String, theme: WiringTheme = .light) throws(WiringError) {
    guard let format = WiringFormat(suffixOf: path) else {
      throw WiringError(
        .unknownFormat,
        "Can't write '\(DisplayText.line(path, limit: 200))': its suffix stands for no format. Use .txt, .json, .dot, .mmd or .svg."
      )
    }
    try WiringFile.write(try rendered(as: format, theme: theme), to: path)
  }

  /// Reads a wiring from a file that holds the JSON of `json()`.
  ///
  /// - Parameter path: the file's path.
  /// - Throws: `WiringError` with the code `unreadable`, `truncated`, `foreign`, `newerVersion` or `damaged`.
  /// - Complexity: O(length).
  public init(contentsOf path: String) throws(WiringError) {
    try self.init(json: try WiringFile.read(path), name: path)
  }
}

/// Whole files, read and written with messages that say what to do.
package enum WiringFile {
  /// Reads a file.
  package static func read(_ path: String) throws(WiringError) -> [UInt8] {
    func failure(_ code: Int32) -> WiringError {
      let cause = SystemMessage.text(code)
      return WiringError(
        .unreadable,
        "Can't read '\(DisplayText.line(path, limit: 200))': \(cause). Give the path of a file that exists and may be read.",
        cause: cause)
    }
    guard !path.utf8.contains(0) else { throw failure(ENOENT) }
    // SAFETY: the string lives through the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    guard let bytes = Descriptor.readAll(descriptor) else { throw failure(errno) }
    return bytes
  }

  /// Replaces a file at one stroke. What is there and is no file, as a pipe, is refused rather than waited for.
  package static func write(_ text: String, to path: String) throws(WiringError) {
    func failure(_ cause: String) -> WiringError {
      WiringError(
        .unwritable,
        "Can't write '\(DisplayText.line(path, limit: 200))': \(cause). Give the path of a file in a folder that exists and may be written.",
        cause: cause)
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("it is no file's name") }
    let bytes = Array(text.utf8)
    let target = try resolved(path, failure)
    if let device = target.device {
      defer { close(device) }
      guard Descriptor.write(bytes, to: device) else { throw failure(SystemMessage.text(errno)) }
      return
    }
    // A name that nobody else takes; the mode is the system's default for new files.
    let name = "\(target.path).\(getpid())-\(UInt32.random(in: .min ... .max)).tmp"
    // SAFETY: the strings live through the calls.
    let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(SystemMessage.text(errno)) }
    if let mode = target.mode { _ = fchmod(descriptor, mode) }
    let isWritten = Descriptor.write(bytes, to: descriptor)
    let code = errno
    let isClosed = close(descriptor) == 0
    guard isWritten, isClosed, unsafe rename(name, target.path) == 0 else {
      let cause = SystemMessage.text(isWritten ? errno : code)
      unsafe unlink(name)
      throw failure(cause)
    }
  }

  /// Where to write: a file (what a symbolic link leads to), or a device that is open already.
  private static func resolved(
    _ path: String, _ failure: (String) -> WiringError
  ) throws(WiringError) -> (path: String, mode: mode_t?, device: Int32?) {
    // SAFETY: the record is of this function's own, and the string lives through the call.
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return (path, nil, nil)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // SAFETY: `realpath` returns a string of its own, which is freed after it was copied.
      guard let real = unsafe realpath(path, nil) else {
        return (path, status.st_mode & 0o777, nil)
      }
      defer { unsafe free(real) }
      return (unsafe String(cString: real), status.st_mode & 0o777, nil)
    case S_IFCHR:
      // SAFETY: the string lives through the call.
      let device = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard device >= 0 else { throw failure(SystemMessage.text(errno)) }
      return (path, nil, device)
    case S_IFDIR: throw failure("it is a folder")
    default: throw failure("it is a pipe or a socket")
    }
  }
}
