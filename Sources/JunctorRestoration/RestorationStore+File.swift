internal import JunctorCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

extension RestorationStore {
  /// What is in the file now. What is damaged in it is put aside first.
  func contents() throws(RestorationError) -> RestorationContents {
    // A file is replaced in one step, so reading needs no lock. Only where something has to be mended is it taken.
    guard let contents = try? read(), contents.isWhole else { return try change { _ in } }
    return contents
  }

  /// Changes what is in the file, under the lock. Returns what is there then.
  @discardableResult
  func change(
    _ body: (inout RestorationContents) -> Void
  ) throws(RestorationError) -> RestorationContents {
    var reports: [Diagnostic] = []
    defer { for report in reports { Junctor.report(report) } }
    do {
      let lock = try FileDescriptor(path + ".lock", O_RDWR | O_CREAT)
      try lock.lock()
      let old = try readOrMend(&reports)
      var new = old
      new.damaged = 0
      new.isCut = false
      body(&new)
      if new != old { try FileAccess.replace(path, with: Array(new.text().utf8)) }
      extendLifetime(lock)
      return new
    } catch let error as RestorationError {
      throw error
    } catch {
      let cause = (error as? FileFailure).map { "\($0.reason) (\($0.action))" } ?? "\(error)"
      throw RestorationError(
        code: .cannotWrite,
        message: "Can't write '\(path)': \(cause). Choose a folder that exists and may be written.")
    }
  }

  private func read() throws -> RestorationContents {
    guard let bytes = try FileAccess.contents(of: path) else { return RestorationContents() }
    return try RestorationContents(text: String(decoding: bytes, as: UTF8.self))
  }

  private func readOrMend(_ reports: inout [Diagnostic]) throws -> RestorationContents {
    do {
      let contents = try read()
      if contents.damaged > 0 {
        reports.append(
          Diagnostic(
            .restorationEntryDamaged,
            "Can't read \(contents.damaged) of the lines of '\(path)': they are damaged. They were"
              + " kept aside and the others were read; see 'keptAside()'."))
      } else if contents.isCut {
        reports.append(
          Diagnostic(
            .restorationEntryDamaged,
            "Can't read all of '\(path)': its end is missing. What is there was read; look for what"
              + " may have cut it, a full disk or another program."))
      }
      return contents
    } catch RestorationContents.Failure.newerFormat(let format) {
      throw RestorationError(
        code: .newerFormat,
        message: "Can't read '\(path)': it has format \(format), and this program knows format"
          + " \(RestorationContents.format). Use the newer program, or another file.")
    } catch is RestorationContents.Failure {
      let name = try FileAccess.moveAside(path)
      reports.append(
        Diagnostic(
          .restorationFileDamaged,
          "Can't read '\(path)': it is no restoration store. It was moved to '\(name)'; look"
            + " there for what was in it."))
      return RestorationContents()
    } catch let error as FileFailure {
      throw RestorationError(
        code: .cannotRead,
        message: "Can't read '\(path)': \(error.reason). Choose a file that may be read.")
    }
  }
}
