import Testing

@Suite struct DiagnosticTests {
  @Test func `D9 a result that nobody may give needs a fallback`() {
    let expansion = Expansion(
      """
      @Multicast
      protocol P: AnyObject {
        func f(_ x: Int) -> Int
        @Returns(.first) func g() -> String
        @Optional var h: Double { get }
      }
      """)
    #expect(
      expansion.complaints == [
        "3:8 Can't forward 'f': it has to return 'Int', and nobody may answer. "
          + "Give a fallback, or return an optional.",
        "4:25 Can't forward 'g': it has to return 'String', and nobody may answer. "
          + "Give a fallback, or return an optional.",
        "5:17 Can't forward 'h': it has to return 'Double', and nobody may answer. "
          + "Give a fallback, or return an optional.",
      ])
    #expect(
      expansion.fixed == """
        @Multicast
        protocol P: AnyObject {
          @Returns(.last, fallback: <#value#>) func f(_ x: Int) -> Int
          @Returns(.first, fallback: <#value#>) func g() -> String
          @Optional(fallback: <#value#>) var h: Double { get }
        }
        """)
    // Without the class the compiler would complain about each place that names it, too.
    #expect(expansion.text.contains("final class PMulticast"))
    #expect(!expansion.text.contains("MulticastList<any P>(_of"))
  }

  /// Expands one requirement in a protocol that is fine otherwise.
  private func requirement(_ text: String) -> Expansion {
    Expansion("@Multicast protocol P: AnyObject {\n\(text)\n}")
  }

  @Test func `D14 what belongs to the type is no target's`() {
    #expect(
      requirement("static func f()").complaints == [
        "2:1 Can't forward 'f': a static requirement belongs to the type and has no targets. "
          + "Make it an instance requirement, or move it to a protocol of its own."
      ])
    #expect(
      requirement("static var f: Int { get }").complaints.first?.hasPrefix("2:1 Can't") == true)
    #expect(
      requirement("init(x: Int)").complaints == [
        "2:1 Can't forward 'init': an initialiser makes an object and has no targets yet. "
          + "Move it to a protocol of its own."
      ])
    #expect(
      requirement("func == (left: Int, right: Int)").complaints == [
        "2:6 Can't forward '==': an operator belongs to the type and has no targets. "
          + "Declare a method instead."
      ])
    #expect(requirement("static func == (left: Self, right: Self) -> Bool").complaints.count == 1)
  }

  @Test func `D14 a variadic parameter becomes an array`() {
    let expansion = requirement("func f(_ values: Int..., to x: Int)")
    #expect(
      expansion.complaints == [
        "2:8 Can't forward 'f': a variadic parameter cannot be passed on as one. "
          + "Take an array instead."
      ])
    #expect(expansion.fixed.contains("func f(_ values: [Int], to x: Int)"))
  }

  @Test func `D14 what can be given away once is not for many`() {
    for word in ["consuming", "sending"] {
      let expansion = requirement("func f(_ value: \(word) Int)")
      #expect(
        expansion.complaints == [
          "2:17 Can't forward 'f': a '\(word)' parameter can be given to one target only. "
            + "Leave '\(word)' out."
        ])
      #expect(expansion.fixed.contains("func f(_ value: Int)"))
    }
  }

  @Test func `D14 Self is another type in each target`() {
    #expect(
      requirement("func f(_ other: Self)").complaints == [
        "2:17 Can't forward 'f': 'Self' is another type in each target. "
          + "Name a type that all of them share."
      ])
    #expect(requirement("func f() -> Self?").complaints.count == 1)
    #expect(requirement("func f(_ body: (Self) -> Void)").complaints.count == 1)
    #expect(requirement("func f(_ item: Self.Item)").complaints.isEmpty)
  }

  @Test func `D14 storage cannot be lent by many`() {
    #expect(
      requirement("var f: Int? { get _modify }").complaints.first?.hasPrefix(
        "2:19 Can't forward 'f': '_modify' lends storage") == true)
  }

  @Test func `D14 an associated type has to be primary`() {
    let expansion = Expansion(
      """
      @Multicast protocol P<A>: AnyObject {
        associatedtype A
        associatedtype B
      }
      """)
    #expect(
      expansion.complaints == [
        "3:3 Can't make a multicast of 'P': 'B' differs between targets. "
          + "Make it a primary associated type."
      ])
    #expect(expansion.fixed.contains("protocol P<A, B>: AnyObject {"))
  }

  @Test func `D14 what an unseen protocol requires is not forwarded silently`() {
    let expansion = Expansion(
      """
      @Multicast(onError: .stop) protocol P: AnyObject, Other, Sendable {
      }
      """)
    #expect(
      expansion.complaints == [
        "1:51 Can't forward what 'Other' requires: it is declared elsewhere. If it has a multicast "
          + "too, name it: @Multicast(inheriting: Other.self). Otherwise write the class by "
          + "hand with @Forwarded."
      ])
    #expect(
      expansion.fixed.contains("@Multicast(inheriting: Other.self, onError: .stop) protocol"))
    let generic = Expansion("@Multicast protocol P: Other<Int> {}")
    #expect(
      generic.fixed == "@Multicast(inheriting: (any Other<Int>).self) protocol P: Other<Int> {}")
    for spelling in ["Other.self, M.More.self", "(any Other).self, M.MoreMulticast.self"] {
      let named = Expansion("@Multicast(inheriting: \(spelling)) protocol P: Other, M.More {}")
      #expect(named.complaints.isEmpty)
      #expect(named.text.contains("    OtherMulticast._addFaces(of: target, to: faces)"))
      #expect(named.text.contains("    M.MoreMulticast._addFaces(of: target, to: faces)"))
    }
    let covered = Expansion(
      "@Multicast(inheriting: OtherMulticast.self, (any M.More).self) protocol P: Other, M.More {}")
    #expect(covered.complaints.isEmpty)
    #expect(covered.text.contains("OtherMulticast._addFaces(of: target, to: faces)"))
    #expect(covered.text.contains("M.MoreMulticast._addFaces(of: target, to: faces)"))
  }

  @Test func `D3 a protocol that structures may conform to has no multicast`() {
    let bare = Expansion("@Multicast protocol P { }")
    #expect(
      bare.complaints == [
        "1:21 Can't make a multicast of 'P': a structure could conform to it, and only objects "
          + "can be held weakly. Inherit from AnyObject."
      ])
    #expect(bare.fixed == "@Multicast protocol P: AnyObject { }")
    let sendable = Expansion("@Multicast protocol P: Sendable {}")
    #expect(sendable.fixed == "@Multicast protocol P: AnyObject, Sendable {}")
    #expect(Expansion("@Multicast protocol P where Self: AnyObject {}").complaints.isEmpty)
  }

  @Test func `D14 what Objective-C calls is written by hand`() {
    #expect(
      Expansion("@Multicast @objc protocol P: AnyObject {}").complaints == [
        "1:12 Can't make a multicast of 'P': what Objective-C is to call cannot be written in an "
          + "extension. Write the class by hand with @Forwarded."
      ])
  }

  @Test func `D14 actors have no multicast`() {
    #expect(
      Expansion("@Multicast protocol P: Actor {}").complaints.first?.hasPrefix(
        "1:24 Can't make a multicast of 'P': only actors conform to it") == true)
  }

  @Test func `D14 a protocol inside a function has no multicast`() {
    #expect(
      Expansion("func f() { @Multicast protocol P: AnyObject {} }").complaints == [
        "1:32 Can't make a multicast of 'P': a protocol inside a function cannot be extended. "
          + "Move it out of the function."
      ])
  }

  @Test func `D14 attributes that nobody reads are errors`() {
    #expect(
      Expansion("@Multicast struct S {}").complaints == [
        "1:1 Can't make a multicast here: @Multicast stands before a protocol. Move it there."
      ])
    #expect(
      Expansion("class C { @Returns(.last) func f() {} }").complaints == [
        "1:11 Can't use '@Returns' here: nothing reads it. Put it on a requirement of a protocol "
          + "with @Multicast, or on a method with @Forwarded."
      ])
    #expect(Expansion("protocol C { @Optional func f() }").complaints.count == 1)
  }

  @Test func `D9 a rule has to fit the result`() {
    #expect(
      requirement("@Returns(.any, fallback: 1) func f() -> Int").complaints == [
        "2:1 Can't combine the answers of 'f': .any and .every need Bool, and it returns 'Int'. "
          + "Use .last, .first, .all or .reduce(…)."
      ])
    #expect(
      requirement("@Returns(.all) func f() -> Int").complaints == [
        "2:1 Can't collect the answers of 'f': .all joins arrays, and it returns 'Int'. "
          + "Return an array."
      ])
    #expect(
      requirement("@Returns(rule, fallback: 1) func f() -> Int").complaints == [
        "2:10 Can't read 'rule': the rule has to be written out here. "
          + "Use .last, .first, .any, .every, .all or .reduce(…)."
      ])
    #expect(
      requirement("@Returns(.last, fallback: 1) func f()").complaints == [
        "2:1 Can't use a fallback for 'f': it returns nothing. Leave it out."
      ])
  }

  @Test func `D14 a forwarded method has neither a body nor nameless parameters`() {
    let body = Expansion("class C { @Forwarded func f() {} }")
    #expect(
      body.complaints == [
        "1:27 Can't forward 'f': it has a body already. Leave the body out."
      ])
    #expect(
      Expansion("class C { @Forwarded func f(_: Int) }").complaints == [
        "1:29 Can't forward 'f': a parameter without a name cannot be passed on. Give it a name."
      ])
    #expect(
      Expansion("class C { @Forwarded func f() -> Int }").complaints == [
        "1:27 Can't forward 'f': it has to return 'Int', and nobody may answer. "
          + "Give a fallback, or return an optional."
      ])
  }

  @Test func `H1 a receiver says what it takes`() {
    #expect(
      Expansion("@DataReceiver class C {}").complaints == [
        "1:21 Can't tell what 'C' receives: it has no method prepare(with:) in its own "
          + "declaration. Write func prepare(with model: Model?)."
      ])
    let plain = Expansion("@DataReceiver class C { func prepare(with model: Int) {} }")
    #expect(
      plain.complaints == [
        "1:50 Can't hand 'C' nothing: what prepare(with:) takes is no optional. Write 'Int?'."
      ])
    #expect(plain.fixed == "@DataReceiver class C { func prepare(with model: Int?) {} }")
    #expect(
      Expansion("@DataReceiver struct S { func prepare(with model: Int?) {} }").complaints.count
        == 1)
    let two = Expansion(
      "@DataReceiver class C { func prepare(with a: Int?) {}; func prepare(with b: Bool?) {} }")
    #expect(two.complaints.count == 1)
    #expect(
      Expansion("@DataReceiver actor A { func prepare(with model: Int?) {} }").complaints == [
        "1:1 Can't receive data here: an actor cannot be prepared before handOver(_:) returns. "
          + "Make it a class, one of a global actor if need be."
      ])
  }

  @Test func `H3 a receiver is prepared at once and takes what it is handed`() {
    let waiting = Expansion("@DataReceiver class C { func prepare(with model: Int?) async {} }")
    #expect(
      waiting.complaints == [
        "1:56 Can't wait for 'C' to be prepared: handOver(_:) returns when prepare(with:) has. "
          + "Take 'async' out, and start a task in it for what takes time."
      ])
    #expect(waiting.fixed == "@DataReceiver class C { func prepare(with model: Int?) {} }")
    let failing = Expansion("@DataReceiver class C { func prepare(with model: Int?) throws {} }")
    #expect(
      failing.complaints == [
        "1:56 Can't let 'C' refuse a model: nobody catches what prepare(with:) throws. "
          + "Take 'throws' out, and show the error where the model is shown."
      ])
  }

  @Test func `D14 what a multicast has itself would not be forwarded`() {
    #expect(
      requirement("#if A\nvar targets: [any P]? { get }\n#endif").complaints == [
        "3:5 Can't forward 'targets': a multicast has a member of that name itself. "
          + "Give it another name."
      ])
    #expect(
      Expansion(
        "@Multicast protocol P<DelegateMethod>: AnyObject { associatedtype DelegateMethod }"
      )
      .complaints.count == 1)
    #expect(
      requirement("func targets()\n@Returns(.last, fallback: 0) var count: Int { get }").complaints
        .isEmpty)
  }

  @Test func `D14 an associated type in a condition has to be primary too`() {
    let expansion = Expansion(
      "@Multicast protocol P: AnyObject {\n#if A\nassociatedtype B\n#endif\n}")
    #expect(expansion.complaints.first?.hasPrefix("3:1 Can't make a multicast of 'P': 'B'") == true)
  }
}
