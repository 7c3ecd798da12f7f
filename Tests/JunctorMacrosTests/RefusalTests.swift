import Testing

/// What the compiler says where a macro refuses: the refusals, and nothing that follows from them.
@Suite(.enabled(if: Compilation.products != nil))
struct RefusalTests {
  /// The errors of a program, each as its place and its first words.
  private func errors(_ source: String, options: [String] = []) throws -> [String] {
    let result = try Compilation("import JunctorMacros\n" + source, options: options)
    #expect(!result.succeeded)
    return result.output.matches(of: /(?m)^[^\s|`].*?:(\d+:\d+: error: .+)$/).map { String($0.1) }
  }

  @Test(arguments: [
    ("func a() -> Int; func b(); var x: Int { get set }", 2),
    ("func a() -> Int; @Optional func b(); @Optional(fallback: 1) var c: Int { get set }", 1),
    ("init(x: Int); static func s() -> Int; static var t: Int { get set }", 3),
    ("func a(_ x: Int...); func b(_ x: consuming String); func c(_ x: Self) -> Self?", 4),
    ("@Returns(.any) func a() -> Int; @Returns(.all) func d() -> Int", 3),
    ("#if true\nfunc a() -> Int\n#endif\n", 1),
  ])
  func `D14 a protocol that is refused has a multicast all the same`(
    members: String, count: Int
  ) throws {
    let users = """
      final class Screen { let all = PMulticast(); func show(_ p: any P) { all.add(p) } }
      func use() { let p: any P = PMulticast(); _ = p }
      """
    let own = try errors(
      "@Multicast protocol P: AnyObject { \(members) }\nextension PMulticast: P, Multicasting {}\n"
        + users)
    #expect(own.count == count && own.allSatisfy { $0.contains("Can't ") }, "\(own)")
    let seen = try errors("@Multicast public protocol P: AnyObject { \(members) }\n" + users)
    #expect(seen.count == count && seen.allSatisfy { $0.contains("Can't ") }, "\(seen)")
    let nested = try errors(
      "enum Outer { @Multicast protocol P: AnyObject { \(members) } }\n"
        + "extension Outer.PMulticast: Outer.P, Multicasting {}\n"
        + "func use() { let p: any Outer.P = Outer.PMulticast(); _ = p }")
    #expect(nested.count == count && nested.allSatisfy { $0.contains("Can't ") }, "\(nested)")
  }

  @Test(arguments: [
    "@Multicast protocol P { func a() }\nextension PMulticast: P, Multicasting {}",
    """
    @Multicast protocol P: AnyObject { associatedtype Item; func a(_ item: Item) }
    extension PMulticast: P, Multicasting {}
    """,
    "@Multicast @MainActor protocol P: AnyObject { func a() -> Int }\nextension PMulticast: P, Multicasting {}",
    """
    @Multicast protocol P: AnyObject { func a() -> Int; @Optional func b() }
    extension PMulticast: P, Multicasting {}
    final class Target: P { func a() -> Int { 1 } }
    """,
  ])
  func `D14 a protocol that is refused as a whole is one error`(source: String) throws {
    for options in [[], ["-default-isolation", "MainActor"]] {
      let errors = try errors(source, options: options)
      #expect(errors.count == 1 && errors[0].contains("Can't "), "\(errors)")
    }
  }

  @Test(arguments: [
    "", "func prepare(with a: String) {}", "func prepare(with a: String?) async {}",
    "func prepare(with a: String?) throws {}", "func prepare(with a: String?) async throws {}",
    "func prepare(with a: String?) {}; func prepare(with b: Int?) {}",
    "func prepare(with a: Model) {}; struct Model {}",
    "typealias Model = String; func prepare(with a: Model) {}",
  ])
  func `H1 a receiver that is refused is one all the same`(members: String) throws {
    let model = members.contains("struct Model") ? "Screen.Model()" : "\"a\""
    // A public class with a model of its own that is not public would be two errors of its own.
    for head in members.contains(" Model") ? ["", "@MainActor "] : ["", "@MainActor ", "public "] {
      let found = try errors(
        """
        @DataReceiver \(head)final class Screen { \(members) }
        @MainActor func use(_ screen: Screen) { screen.handOver(\(model)); _ = screen.model }
        """)
      #expect(found.count == 1 && found[0].contains("Can't "), "\(found)")
    }
    let asking = try errors(
      """
      @DataReceiver final class Screen: ResultProvider { typealias Result = Int; \(members) }
      final class List { func use(_ screen: Screen) {
        screen.request(\(model), for: self) { me, outcome in }
      } }
      """)
    #expect(asking.count == 1 && asking[0].contains("Can't "), "\(asking)")
  }

  @Test func `H1 a model may be of a type called Model`() throws {
    let result = try Compilation(
      """
      import JunctorMacros
      struct Model {}
      class Base { struct Inner {} }
      @DataReceiver final class Screen { func prepare(with model: Model?) {} }
      @DataReceiver final class Other: Base { func prepare(with model: Inner?) {} }
      @DataReceiver final class Generic<Model> { func prepare(with model: Model?) {} }
      func use(_ screen: Screen) { screen.handOver(Model()); Generic<Int>().handOver(1) }
      """)
    #expect(result.succeeded, "\(result.output)")
  }

  @Test func `H7 what may give its result back anywhere is told both ways out`() throws {
    func output(_ conformance: String) throws -> String {
      try Compilation(
        """
        import JunctorMacros
        @DataReceiver @MainActor final class Screen: \(conformance) {
          typealias Result = Bool
          func prepare(with model: Int?) {}
        }
        @MainActor final class List {
          func open(_ screen: Screen) { screen.request(1, for: self) { me, outcome in } }
        }
        """
      ).output
    }
    let missing = try output("ResultProvider")
    #expect(missing.contains("write '@MainActor ResultProvider'"), "\(missing)")
    #expect(missing.contains("use 'request(_:telling:_:)'"))
    #expect(!missing.contains("This receiver may give its result back on any thread"))
    #expect(try output("@MainActor ResultProvider").isEmpty)
  }
}
