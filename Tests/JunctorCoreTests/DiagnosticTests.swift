import Synchronization
import Testing

@testable import JunctorCore

@Suite struct DiagnosticTests {
  private static let code = Diagnostic.Code("test.misuse")

  @Test func `diagnostics of an operation go to its own handler`() async {
    let heard = Mutex<[Diagnostic]>([])
    let note: Junctor.DiagnosticsHandler = { diagnostic in heard.withLock { $0.append(diagnostic) }
    }
    Junctor.withDiagnostics(note) { Junctor.report(Diagnostic(Self.code, "one")) }
    await Junctor.withDiagnostics(note) {
      await Task.yield()
      Junctor.report(Diagnostic(Self.code, "two"))
    }
    #expect(heard.withLock { $0.map(\.message) } == ["one", "two"])
  }

  @Test func `a handler that was asked for often is still called directly`() {
    let heard = Mutex(0)
    let before = Junctor.diagnostics
    defer { Junctor.diagnostics = before }
    Junctor.diagnostics = { _ in heard.withLock { $0 += 1 } }
    // Were it wrapped each time, its call would need more stack than there is.
    for _ in 0..<300_000 { _ = Junctor.diagnostics }
    Junctor.report(Diagnostic(Self.code, "often"))
    #expect(heard.withLock { $0 } == 1)
  }

  @Test func `a diagnostic reads as its sentence and its places`() {
    let site = SourceSite(fileID: "App/Login.swift", line: 12)
    #expect(site.description == "App/Login.swift:12")
    let diagnostic = Diagnostic(
      Self.code, "Can't listen to 'x': it is closed. Open it.", sites: [site])
    #expect(
      diagnostic.description == "Can't listen to 'x': it is closed. Open it. [App/Login.swift:12]")
    #expect(Diagnostic(Self.code, "Short.").description == "Short.")
    #expect(SourceSite().fileID == "JunctorCoreTests/DiagnosticTests.swift")
  }

  @Test func `a report on standard error ends in its code`() {
    let site = SourceSite(fileID: "App/Login.swift", line: 12)
    let diagnostic = Diagnostic(Self.code, "Can't listen. Open it.", sites: [site])
    #expect(
      Junctor.line(for: diagnostic)
        == "Junctor: Can't listen. Open it. [App/Login.swift:12] (test.misuse)")
  }

  @Test func `numbers are never given twice, by four threads`() async {
    let all = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<4 { group.addTask { (0..<10_000).map { _ in Identifier.next() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(all).count == 40_000)
  }
}
