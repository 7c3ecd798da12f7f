import Foundation
import Testing

@Suite(.enabled(if: Compilation.products != nil))
struct CompilerTests {
  /// Protocols of every isolation, as a user writes them.
  private static let protocols = """
    import JunctorMacros
    @Multicast protocol ScreenDelegate: AnyObject {
      func appear()
      func refresh() async throws -> Int?
      func isolated(to actor: isolated (any Actor)?) async
      @Returns(.last, fallback: 0) var badge: Int { get set }
      @Optional func maybe()
    }
    @Multicast nonisolated protocol Free: AnyObject {
      func f() async -> Int?
      func g(_ x: () -> Void) async throws
      func h()
      @Optional func maybe()
    }
    @Multicast @MainActor protocol Main: AnyObject {
      func f()
      nonisolated func g()
    }
    @Multicast protocol Shared: AnyObject, Sendable {
      func f() async
      @Returns(.all, calls: .concurrent) func all() async -> [Int]
      @MainActor func main()
    }
    final class Screen: ScreenDelegate {
      let all = ScreenDelegateMulticast()
      var badge = 1
      func appear() { all.add(self); all.appear() }
      func refresh() async throws -> Int? { nil }
      func isolated(to actor: isolated (any Actor)?) async {}
      deinit { all.remove(self) }
    }
    nonisolated func share(_ all: SharedMulticast) async {
      await withTaskGroup { group in group.addTask { await all.f() } }
    }
    """

  @Test(arguments: [
    [], ["-default-isolation", "MainActor"],
    ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"],
    [
      "-default-isolation", "MainActor", "-enable-upcoming-feature",
      "NonisolatedNonsendingByDefault", "-enable-upcoming-feature", "InferIsolatedConformances",
      "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
      "MemberImportVisibility", "-strict-memory-safety", "-warnings-as-errors",
    ],
  ])
  func `D8 generated code compiles under every default isolation`(options: [String]) throws {
    let result = try Compilation(Self.protocols, options: options)
    #expect(result.succeeded, "\(result.output)")
  }

  @Test func `D13 multicasts are used, and inherited from, in another module`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("junctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Compilation(
      """
      public import JunctorMacros
      @Multicast public protocol Base: AnyObject {
        func base(_ x: Int) -> Int?
        @Optional(fallback: 1) func maybe() -> Int
      }
      @Multicast public protocol Source<Item>: AnyObject {
        associatedtype Item
        func got(_ item: Item)
      }
      """,
      options: [
        "-enable-upcoming-feature", "InternalImportsByDefault", "-emit-module",
        "-emit-module-path", folder.appendingPathComponent("Library.swiftmodule").path,
      ], module: "Library", in: folder)
    #expect(library.succeeded, "\(library.output)")
    let program = try Compilation(
      """
      import JunctorMacros
      import Library
      @Multicast(inheriting: BaseMulticast.self) protocol Sub: Base { func sub() }
      final class Target: Sub {
        func base(_ x: Int) -> Int? { x }
        func sub() {}
      }
      final class Numbers: Source { func got(_ item: Int) {} }
      func use() {
        let all = SubMulticast()
        all.add(Target())
        all.sub()
        _ = all.base(1) ?? all.maybe()
        _ = all.responds(to: .sub)
        let numbers = SourceMulticast<Int>()
        numbers.add(Numbers())
        numbers.got(3)
        let base = BaseMulticast()
        base.add(all)
        base.add(Target(), before: all, retaining: true)
        _ = base.responds(to: .maybe)
      }
      """, module: "Program", in: folder)
    #expect(program.succeeded, "\(program.output)")
  }

  @Test(arguments: ["Base.self", "(any Base).self"])
  func `D14 a protocol of the same module is named as it is`(spelling: String) throws {
    let source = """
      import JunctorMacros
      @Multicast protocol Base: AnyObject { func base() }
      @Multicast(inheriting: \(spelling)) protocol Sub: Base { func sub() }
      func use(_ all: SubMulticast) { all.base() }
      """
    let options = ["-enable-upcoming-feature", "ExistentialAny", "-warnings-as-errors"]
    let result = try Compilation(source, options: options)
    #expect(result.succeeded, "\(result.output)")
  }

  @Test func `D3 a structure does not compile as a target`() throws {
    let result = try Compilation(
      """
      import JunctorMacros
      @Multicast protocol Delegate: AnyObject { func f() }
      struct Value: Delegate { func f() {} }
      func use() { DelegateMulticast().add(Value()) }
      """)
    #expect(!result.succeeded)
    #expect(result.output.contains("non-class type 'Value' cannot conform to class protocol"))
  }

  @Test func `D9 a result without a fallback does not compile`() throws {
    let result = try Compilation(
      """
      import JunctorMacros
      @Multicast protocol Delegate: AnyObject { func f() -> Int }
      """)
    #expect(!result.succeeded)
    #expect(result.output.contains("Program.swift:2:48: error: Can't forward 'f'"))
  }

  @Test func `D8 a multicast of targets that are not Sendable stays where it was made`() throws {
    let result = try Compilation(
      """
      import JunctorMacros
      @Multicast protocol Delegate: AnyObject { func f() }
      func use(_ all: DelegateMulticast) {
        Task.detached { all.f() }
      }
      func list(_ all: MulticastList<any Delegate>) {
        Task.detached { all.forEach { $0.f() } }
      }
      """)
    #expect(!result.succeeded)
    #expect(result.output.contains("Program.swift:4:8: error: "), "\(result.output)")
    #expect(result.output.contains("Program.swift:7:8: error: "), "\(result.output)")
  }

  @Test func `D14 an inherited protocol that is none of the targets' does not compile`() throws {
    let result = try Compilation(
      """
      import JunctorMacros
      @Multicast protocol Other: AnyObject { func f() }
      protocol Base: AnyObject { func g() }
      @Multicast(inheriting: (any Base).self) protocol Sub: Base { func h() }
      """)
    #expect(!result.succeeded)
    #expect(result.output.contains("BaseMulticast"))
  }
}
