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
    extension ScreenDelegateMulticast: ScreenDelegate, Multicasting {}
    nonisolated extension FreeMulticast: Free, Multicasting {}
    extension MainMulticast: Main, Multicasting {}
    extension SharedMulticast: Shared, Multicasting {}
    enum Outer {
      @Multicast protocol Inner: AnyObject { func f(); @Optional func g() }
      struct Word {}
    }
    extension Outer.InnerMulticast: Outer.Inner, Multicasting {}
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
      extension SubMulticast: Sub, Multicasting {}
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
      extension BaseMulticast: Base, Multicasting {}
      @Multicast(inheriting: \(spelling)) protocol Sub: Base { func sub() }
      extension SubMulticast: Sub, Multicasting {}
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
      extension DelegateMulticast: Delegate, Multicasting {}
      struct Value: Delegate { func f() {} }
      func use() { DelegateMulticast().add(Value()) }
      """)
    #expect(!result.succeeded)
    #expect(result.output.contains("non-class type 'Value' cannot conform to class protocol"))
  }

  @Test func `D14 that a multicast is the delegate has to be read in the source`() throws {
    let missing = try Compilation(
      """
      import JunctorMacros
      @Multicast protocol Delegate: AnyObject { func f() }
      public enum Outer { @Multicast public protocol Inner: AnyObject { func f() } }
      enum Hidden { @Multicast public protocol Inner: AnyObject { func f() } }
      """)
    #expect(!missing.succeeded)
    for line in [
      "'extension DelegateMulticast: Delegate, Multicasting {}'",
      "'extension Hidden.InnerMulticast: Hidden.Inner, Multicasting {}'",
    ] {
      #expect(missing.output.contains("Can't be the delegate yet: the compiler has to read"))
      #expect(missing.output.contains(line), "\(missing.output)")
    }
    #expect(!missing.output.contains("extension Outer.Inner"))
  }

  @Test func `D1 an optimised build does not take a multicast for its only target's class`() throws
  {
    let result = try Compilation(
      """
      import JunctorMacros
      @Multicast protocol Delegate: AnyObject { func f(_ number: Int) }
      extension DelegateMulticast: Delegate, Multicasting {}
      final class Target: Delegate {
        var sum = 0
        func f(_ number: Int) { sum += number }
      }
      @inline(never) func callDelegate(_ delegate: any Delegate) { delegate.f(1) }
      public func use() {
        let (all, target) = (DelegateMulticast(), Target())
        all.add(target)
        callDelegate(all)
      }
      """, options: ["-O", "-whole-module-optimization"], output: "-")
    #expect(result.succeeded, "\(result.output)")
    // The call goes through the protocol; it would write into the target's memory otherwise.
    #expect(result.output.contains("witness_method $@opened"))
    #expect(!result.output.contains("to $Target "))
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
      extension DelegateMulticast: Delegate, Multicasting {}
      func use(_ all: DelegateMulticast) {
        Task.detached { all.f() }
      }
      func list(_ all: MulticastList<any Delegate>) {
        Task.detached { all.forEach { $0.f() } }
      }
      """)
    #expect(!result.succeeded)
    #expect(result.output.contains("Program.swift:5:8: error: "), "\(result.output)")
    #expect(result.output.contains("Program.swift:8:8: error: "), "\(result.output)")
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
