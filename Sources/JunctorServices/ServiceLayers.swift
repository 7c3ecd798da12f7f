internal import JunctorCore

/// An object of a slot, and what decorators have wrapped it in.
struct ServiceLayers: Sendable {
  /// How far starting and closing have got with a layer.
  enum Progress: Sendable { case idle, started, closed }

  /// The object, or one of its wrappers.
  struct Layer: Sendable {
    /// The service.
    let box: ServiceBox
    /// When it came about: dependents come after what they depend on. Never given twice.
    let order = Identifier.next()
    /// How far starting and closing have got.
    var progress = Progress.idle
  }

  /// What is given out.
  private(set) var outermost: Layer
  /// What that is wrapped around, innermost first.
  private(set) var wrapped: [Layer] = []
  /// How many decorators have had their turn.
  private(set) var applied: Int
  /// Whether the innermost layer is what the alternate gave.
  let isInherited: Bool
  /// Whether the innermost layer is an object of another service, which the provider asked for and gave back.
  var isBorrowed = false

  /// An object that nothing is wrapped around, as far as is known.
  init(_ box: ServiceBox, applied: Int = 0, isInherited: Bool = false) {
    outermost = Layer(box: box)
    self.applied = applied
    self.isInherited = isInherited
  }

  /// Something that was behind the set, in wrappers of which the outermost is left.
  init(_ inherited: ServiceBox, wrappedIn box: ServiceBox, applied: Int) {
    self.init(inherited, isInherited: true)
    if !isSameService(inherited, box) { wrap(in: box) }
    self.applied = applied
  }

  /// What is given out.
  var box: ServiceBox { outermost.box }

  /// What the first decorator was given.
  var innermost: ServiceBox { wrapped.first?.box ?? outermost.box }

  /// The layers that this slot has made, innermost first.
  var own: ArraySlice<Layer> { (wrapped + [outermost]).dropFirst(isInherited ? 1 : 0) }

  /// Takes in what the next decorator gave.
  mutating func wrap(in box: ServiceBox) {
    applied += 1
    // A decorator may give back what it was given; then there is no wrapper.
    if isSameService(box, outermost.box) { return }
    wrapped.append(outermost)
    outermost = Layer(box: box)
  }

  /// Changes the progress of one layer.
  ///
  /// - Returns: what `change` returns, or `nil` if there is no such layer.
  mutating func advance(_ order: UInt64, _ change: (inout Progress) -> Bool) -> Bool? {
    if outermost.order == order { return change(&outermost.progress) }
    guard let index = wrapped.firstIndex(where: { $0.order == order }) else { return nil }
    return change(&wrapped[index].progress)
  }
}

/// An object that its slot no longer gives out, and that somebody may still be using.
struct RetiredService: Sendable {
  /// The object and its wrappers.
  var layers: ServiceLayers
  /// Whether the set tears the object down; wrappers it does in any case.
  let isOwned: Bool
  /// What tears it down instead of its own `close()`.
  let teardown: ServiceTeardown?

  /// Whether the set tears the object itself down.
  var isObjectOwned: Bool { isOwned && !layers.isBorrowed }

  /// Whether there is anything in it to be torn down.
  var needsTeardown: Bool {
    let own = layers.own
    return own.indices.contains { index in
      let isInnermost = index == own.startIndex && !layers.isInherited
      if isInnermost, teardown != nil { return true }
      return (isObjectOwned || !isInnermost) && own[index].box.anyValue is any ServiceClosing
    }
  }
}
