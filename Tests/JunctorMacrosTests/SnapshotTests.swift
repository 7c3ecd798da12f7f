import Foundation
import Testing

@Suite struct SnapshotTests {
  /// The text between two marks of an expansion, without what surrounds it.
  private func part(_ text: String, from start: String, to end: String) -> String {
    guard let first = text.range(of: start)?.lowerBound,
      let last = text[first...].range(of: end)?.lowerBound
    else { return text }
    return String(text[first..<last])
  }

  @Test func `D13 the extension forwards what the protocol declares`() {
    let expansion = Expansion(
      """
      @Multicast
      public protocol P: AnyObject {
        /// Doc.
        func f(_ player: Player, at place: Place)
        @Returns(.every, fallback: true) func may(_ x: Int) -> Bool
        @Optional(fallback: 1.0) func volume(for track: Track) -> Double
        @Returns(.last, fallback: 0) var size: Int { get set }
        #if DEBUG
          @available(*, deprecated) func old() throws(E)
        #endif
      }
      """)
    #expect(expansion.complaints.isEmpty)
    let list = "JunctorDelegates.MulticastList<any P>(_of: self.multicastRegistry)"
    let key = /JunctorDelegates\.OptionalMethod\(_key: \d+, index: 0\)/
    let text = expansion.text.replacing(list, with: "LIST").replacing(key, with: "KEY")
    #expect(
      part(text + "‡", from: "extension P where", to: "‡").trimmingCharacters(in: .newlines) == """
        extension P where Self: JunctorDelegates.Multicasting {
          /// Doc.
          public func f(_ player: Player, at place: Place) {
            LIST.forEach { (target: any P) -> () in
              target.f(player, at: place)
            }
          }
          public func may(_ x: Int) -> Bool {
            return LIST.every { (target: any P) -> Bool in
              target.may(x)
            } ?? (true)
          }
          public func volume(for track: Track) -> Double {
            return LIST.last(optional: KEY) { (target: any P) -> Double in
              target.volume(for: track)
            } ?? (1.0)
          }
          public var size: Int {
            get {
              return LIST.last { (target: any P) -> Int in
                target.size
              } ?? (0)
            }
            set {
              LIST.forEach { target in
                target.size = newValue
              }
            }
          }
          #if DEBUG
          @available(*, deprecated)
          public func old() throws(E) {
            try LIST.forEach { (target: any P) throws(E) -> () in
              try target.old()
            }
          }
          #endif
        }

        extension P {
          public func volume(for track: Track) -> Double {
            KEY._noteDefault(of: self)
            return 1.0
          }
        }
        """)
    let head = part(expansion.text, from: "/// Stands", to: "  /// Who is")
    #expect(
      head == """
        /// Stands where a `P` is wanted and forwards every call to many targets, which it holds weakly.
        public final class PMulticast: P, JunctorDelegates.Multicasting {
          /// What the targets are called as.
          public typealias MulticastTarget = any P


        """)
    let names = expansion.text.matches(of: /static var (\w+): DelegateMethod/).map(\.1)
    defer { withExtendedLifetime(names) {} }
    #expect(names == ["f", "may", "volume", "size", "old"])
  }

  @Test func `D12 asynchronous methods walk with suspensions between the targets`() {
    let expansion = Expansion(
      """
      @Multicast
      protocol P: AnyObject {
        @Returns(.first, fallback: 0) func f(answer: Int) async throws -> Int
      }
      """)
    let forwarding = part(expansion.text, from: "    var _answer", to: "\n  }\n}")
    #expect(
      forwarding == """
            var _answer: (Int)? = nil
            var failure: (any JunctorDelegates.MulticastCode.Failure)? = nil
            var calls = JunctorDelegates.MulticastList<any P>(_of: self.multicastRegistry).calls()
            while let target = calls.next() {
              do {
                let value = try await target.f(answer: answer)
                if calls.didAnswer() {
                  if _answer == nil {
                    _answer = value
                  }
                }
              } catch {
                calls.didThrow()
                if failure == nil {
                  failure = error
                }
              }
            }
            if let failure {
              throw failure
            }
            return _answer ?? (0)
        """)
  }

  @Test func `D8 access and isolation are carried over`() {
    let open = Expansion(
      "@Multicast @MainActor package nonisolated protocol P<A>: AnyObject { associatedtype A }")
    #expect(
      open.text.contains("@MainActor\nnonisolated package final class PMulticast<A>: P, "))
    #expect(open.text.contains("package typealias MulticastTarget = any P<A>"))
    let hidden = Expansion("@Multicast fileprivate protocol P: AnyObject {}")
    #expect(hidden.text.contains("fileprivate final class PMulticast {"))
    #expect(hidden.text.contains("\n  typealias MulticastTarget = any P"))
  }

  @Test func `D10 what is optional in Objective-C is chained there`() {
    let expansion = Expansion(
      """
      class C {
        @Optional @Forwarded func f(x y: Int)
        @Optional(fallback: 1) @Forwarded func g() -> Int
      }
      """)
    #expect(
      expansion.text == """
        class C {
          func f(x y: Int) {
            #if canImport(ObjectiveC)
            self.targets.forEach { target in
              target.f?(x: y)
            }
            #else
            self.targets.forEach { target in
              target.f(x: y)
            }
            #endif
          }
          func g() -> Int {
            #if canImport(ObjectiveC)
            let collected = self.targets.all { target in
              target.g?()
            }
            let answers = collected.compactMap {
              $0
            }
            return answers.last ?? (1)
            #else
            return self.targets.last { target in
              target.g()
            } ?? (1)
            #endif
          }
        }
        """)
  }
}
