import Foundation

/// A program given to the compiler, with the modules and the plug-in that these tests were built with.
struct Compilation {
  /// Whether it compiled.
  let succeeded: Bool
  /// What the compiler said.
  let output: String

  /// The folder that the tests were built in; `nil` where it has no modules or there is no compiler.
  static let products: URL? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return nil }
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let modules = folder.appendingPathComponent("Modules/JunctorMacros.swiftmodule")
    return FileManager.default.fileExists(atPath: modules.path) ? folder : nil
  }()

  /// Compiles a program up to the checks of isolation and ownership, in a folder that holds further modules.
  init(
    _ source: String, options: [String] = [], module: String = "Program", in folder: URL? = nil,
    output target: String = "/dev/null"
  ) throws {
    guard let products = Self.products else { throw CocoaError(.fileNoSuchFile) }
    let manager = FileManager.default
    let own = manager.temporaryDirectory.appendingPathComponent("junctor-\(UUID().uuidString)")
    let place = folder ?? own
    try manager.createDirectory(at: place, withIntermediateDirectories: true)
    defer { if folder == nil { try? manager.removeItem(at: own) } }
    let file = place.appendingPathComponent("\(module).swift")
    try Data(source.utf8).write(to: file)
    let plugin = products.appendingPathComponent("JunctorMacrosPlugin-tool").path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-swift-version", "6", "-module-name", module, "-parse-as-library", "-emit-sil"]
      + ["-o", target, "-I", products.appendingPathComponent("Modules").path]
      + ["-I", place.path, "-load-plugin-executable", "\(plugin)#JunctorMacrosPlugin"]
      + ["CJunctorCore", "CJunctorDelegates"].flatMap { name in
        ["-Xcc", "-fmodule-map-file=\(products.path)/\(name).build/module.modulemap"]
      } + options + [file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    succeeded = process.terminationStatus == 0
  }
}
