import Foundation
import JunctorMacros

// Types that would stand in the way of unqualified names in generated code.
enum Shadows {
  struct Error {}
  struct Swift {}
  struct Task {}
  struct Mutex {}
  struct Bool {}
  struct Optional {}
  struct MulticastList {}

  @Multicast
  protocol Shadowed: AnyObject {
    func note(_ error: Error, _ swift: Swift)
    func attempt() throws -> Int?
    func attemptLater() async throws -> Int?
  }
}

extension Shadows.ShadowedMulticast: Shadows.Shadowed, Multicasting {}

struct Box<Content>: Equatable where Content: Equatable { var content: Content }

@Multicast
protocol Shapes: AnyObject {
  @Returns(.last, fallback: 0) var size: Int { get set }
  @Returns(.reduce { $0 + $1 }, fallback: 0) var total: Int { get }
  var cautious: Int? { get throws }
  var late: Int? { get async throws(Mishap) }
  @Returns(.last, fallback: "") subscript(index: Int) -> String { get }
  subscript(key key: String) -> Int? { get set }
  @Returns(.last, fallback: 0) subscript(newValue newValue: Int, target target: Int) -> Int {
    get set
  }
  @Returns(.reduce { $0 + $1 }, fallback: 0) func laterSum(former: Int) async -> Int
  func adjust(_ value: inout Int)
  func look(at text: borrowing String)
  func peek(_ token: borrowing Token)
  func convert<Value: Equatable>(_ value: Value) -> Box<Value>? where Value: Sendable
  func take<each Value>(_ value: repeat each Value)
  func overloaded(_ value: Int)
  func overloaded(_ value: String)
  func overloaded(text value: String)
  func produce() -> Int?
  func produce() -> String?
  func lazily(_ value: @autoclosure () -> Int)
  func lazilyThrowing(_ value: @autoclosure () throws -> Int) rethrows
  func visit(_ body: (Int) -> Void)
  func keep(_ body: @escaping () -> Void)
  func repeatedly(_ body: () throws -> Void) rethrows
  func unnamed(_: Int, label _: Int)
  func typed() throws(Mishap)
  @Returns(onError: .stop) func stopping() throws -> Int?
  // SAFETY: a type; nobody unwraps it.
  func optional() -> Int!
  @Returns(.all) func items() -> [Int]
  @Returns(.any, fallback: false) func wants() -> Bool
  @Returns(.first, fallback: -1) func first() -> Int
  func `default`(`in` value: Int)
  func target(_ target: Int, self value: Int)
  #if DEBUG || !DEBUG
    func conditional()
  #else
    func never()
  #endif
  @available(*, deprecated, message: "Old.") func old()
  @discardableResult func discardable() -> Int?
  func later(_ value: Int) async
  func laterThrowing() async throws
  @Returns(.reduce { $0 + $1 }, fallback: 0) func laterTotal() async -> Int
  func laterTyped() async throws(Mishap) -> Int?
  func isolatedTo(_ actor: isolated (any Actor)?) async
  func closure(_ body: () -> Void) async
  func typedAgain<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure)
  func add(_ value: Int, to sum: inout Int) async
}

extension ShapesMulticast: Shapes, Multicasting {}

/// What a multicast has a member for itself, which the protocol's comes before.
@Multicast
protocol SameNames: AnyObject {
  @Returns(.last, fallback: -1) var count: Int { get }
  @Returns(.last, fallback: false) var isEmpty: Bool { get }
  @Returns(.last, fallback: false) func contains(_ object: AnyObject) -> Bool
  @Returns(.last, fallback: false) func remove(_ object: AnyObject) -> Bool
  func removeAll()
  func responds(to number: Int)
}

extension SameNamesMulticast: SameNames, Multicasting {}

final class SameNamed: SameNames {
  var calls = 0
  var count: Int { 42 }
  var isEmpty: Bool { true }
  func contains(_ object: AnyObject) -> Bool { true }
  func remove(_ object: AnyObject) -> Bool { true }
  func removeAll() { calls += 1 }
  func responds(to number: Int) { calls += 1 }
}

/// Optional methods of every kind of call.
@Multicast
protocol Guessing: AnyObject, Sendable {
  @Optional(fallback: -1) func guess() -> Int
  @Optional(fallback: -1) func guessLater() async -> Int
  @Optional(fallback: -1) @Returns(.last, calls: .concurrent) func guessTogether() async -> Int
  @Optional(fallback: -1) func guessOrFail() async throws -> Int
  @Optional func tell()
}

extension GuessingMulticast: Guessing, Multicasting {}

/// Answers everything, and takes itself out as it does.
final class Guesser: Guessing {
  let all: GuessingMulticast
  init(_ all: GuessingMulticast) { self.all = all }
  private func leave() -> Int {
    all.remove(self)
    return 7
  }
  func guess() -> Int { leave() }
  func guessLater() async -> Int {
    await Task.yield()
    return leave()
  }
  func guessTogether() async -> Int { leave() }
  func guessOrFail() async throws -> Int { leave() }
}

/// Answers nothing.
final class Unsure: Guessing {}

struct Token: ~Copyable { var number = 1 }

final class Shape: Shapes {
  let log: Log
  let number: Int
  var error: Mishap?
  var kept: [() -> Void] = []
  var keyed: [String: Int] = [:]

  init(_ number: Int, _ log: Log) {
    self.number = number
    self.log = log
    size = number
  }

  var size: Int
  var total: Int { number }
  var cautious: Int? {
    get throws {
      log("cautious \(number)")
      if let error { throw error }
      return number
    }
  }
  var late: Int? {
    get async throws(Mishap) {
      await Task.yield()
      log("late \(number)")
      if let error { throw error }
      return number
    }
  }
  subscript(index: Int) -> String { "\(number)[\(index)]" }
  subscript(key key: String) -> Int? {
    get { keyed[key] }
    set { keyed[key] = newValue }
  }
  subscript(newValue newValue: Int, target target: Int) -> Int {
    get { keyed["\(newValue) \(target)"] ?? -1 }
    set(value) { keyed["\(newValue) \(target)"] = value }
  }
  func laterSum(former: Int) async -> Int { number }
  func adjust(_ value: inout Int) { value = value * 10 + number }
  func look(at text: borrowing String) { log("look \(copy text)") }
  func peek(_ token: borrowing Token) { log("peek \(token.number)") }
  func convert<Value: Equatable & Sendable>(_ value: Value) -> Box<Value>? { Box(content: value) }
  func take<each Value>(_ value: repeat each Value) {
    var count = 0
    for _ in repeat each value { count += 1 }
    log("take \(count)")
  }
  func overloaded(_ value: Int) { log("int") }
  func overloaded(_ value: String) { log("string") }
  func overloaded(text value: String) { log("text") }
  func produce() -> Int? { number }
  func produce() -> String? { "\(number)" }
  func lazily(_ value: @autoclosure () -> Int) { log("lazily \(value())") }
  func lazilyThrowing(_ value: @autoclosure () throws -> Int) rethrows { log("\(try value())") }
  func visit(_ body: (Int) -> Void) { body(number) }
  func keep(_ body: @escaping () -> Void) { kept.append(body) }
  func repeatedly(_ body: () throws -> Void) rethrows { try body() }
  func unnamed(_ first: Int, label second: Int) { log("unnamed \(first) \(second)") }
  func typed() throws(Mishap) {
    log("typed \(number)")
    if let error { throw error }
  }
  func stopping() throws -> Int? {
    log("stopping \(number)")
    if let error { throw error }
    return number
  }
  // SAFETY: a type; nobody unwraps it.
  func optional() -> Int! { number }
  func items() -> [Int] { [number, -number] }
  func wants() -> Bool { number == 2 }
  func first() -> Int { number }
  func `default`(`in` value: Int) { log("default \(value)") }
  func target(_ target: Int, self value: Int) { log("target \(target) \(value)") }
  func conditional() { log("conditional") }
  func old() { log("old") }
  func discardable() -> Int? { number }
  func later(_ value: Int) async {
    await Task.yield()
    log("later \(number) \(value)")
  }
  func laterThrowing() async throws {
    log("laterThrowing \(number)")
    if let error { throw error }
  }
  func laterTotal() async -> Int { number }
  func laterTyped() async throws(Mishap) -> Int? {
    log("laterTyped \(number)")
    if let error { throw error }
    return number
  }
  func isolatedTo(_ actor: isolated (any Actor)?) async { log("isolated \(number)") }
  func closure(_ body: () -> Void) async { body() }
  func typedAgain<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try body()
  }
  func add(_ value: Int, to sum: inout Int) async { sum = sum * 10 + value + number }
}

// MARK: - Isolation

@Multicast @MainActor
protocol ScreenDelegate: AnyObject {
  func screenDidAppear()
  @Returns(.last, fallback: 0) var badge: Int { get set }
  nonisolated func note()
  func refresh() async -> Int?
}

extension ScreenDelegateMulticast: ScreenDelegate, Multicasting {}

@MainActor
final class Screen: ScreenDelegate {
  let log: Log
  let all: ScreenDelegateMulticast
  var badge = 0
  init(_ log: Log, _ all: ScreenDelegateMulticast) {
    self.log = log
    self.all = all
  }
  deinit { log("removed \(all.remove(self))") }
  func screenDidAppear() { log("appeared") }
  nonisolated func note() {}
  func refresh() async -> Int? {
    await Task.yield()
    return badge
  }
}

@globalActor
actor Database { static let shared = Database() }

@Multicast @Database
protocol StoreDelegate: AnyObject {
  func didSave(_ count: Int)
  func mayLeave() async -> Bool?
}

extension StoreDelegateMulticast: StoreDelegate, Multicasting {}

@Database
final class StoreTarget: StoreDelegate {
  var saved = 0
  func didSave(_ count: Int) { saved += count }
  func mayLeave() async -> Bool? { saved > 0 }
}

@Multicast
protocol SharedDelegate: AnyObject, Sendable {
  func note(_ line: String)
  @Returns(.all, calls: .concurrent) func gather(_ value: Int) async -> [Int]
  @Returns(.last, fallback: 0, calls: .concurrent) func attempt() async throws -> Int
  @MainActor func onMain()
  @concurrent func away() async
}

extension SharedDelegateMulticast: SharedDelegate, Multicasting {}

final class Shared: SharedDelegate {
  let log: Log
  let number: Int
  init(_ number: Int, _ log: Log) {
    self.number = number
    self.log = log
  }
  func note(_ line: String) { log("\(number) \(line)") }
  func gather(_ value: Int) async -> [Int] { [value * number] }
  func attempt() async throws -> Int {
    if number < 0 { throw Mishap(number: number) }
    return number
  }
  @MainActor func onMain() { log("main \(number)") }
  @concurrent func away() async { log("away \(number)") }
}

// MARK: - Inheritance, associated types, nesting

@Multicast
protocol BaseDelegate: AnyObject {
  func base() -> Int?
  @Optional func maybe()
}

extension BaseDelegateMulticast: BaseDelegate, Multicasting {}

@Multicast(inheriting: BaseDelegate.self, onError: .stop)
protocol MiddleDelegate: BaseDelegate {
  func middle() throws
}

extension MiddleDelegateMulticast: MiddleDelegate, Multicasting {}

@Multicast(inheriting: (any MiddleDelegate).self, (any SharedDelegate).self)
protocol TopDelegate: MiddleDelegate, SharedDelegate {
  func top()
}

extension TopDelegateMulticast: TopDelegate, Multicasting {}

final class Top: TopDelegate {
  let log: Log
  init(_ log: Log) { self.log = log }
  func base() -> Int? { 1 }
  func maybe() { log("maybe") }
  func middle() throws { log("middle") }
  func top() { log("top") }
  func note(_ line: String) { log(line) }
  func gather(_ value: Int) async -> [Int] { [] }
  func attempt() async throws -> Int { 0 }
  @MainActor func onMain() {}
  @concurrent func away() async {}
}

@Multicast
protocol Source<Item>: AnyObject {
  associatedtype Item
  func didReceive(_ item: Item)
  @Returns(.all) func cached() -> [Item]
}

extension SourceMulticast: Source, Multicasting {}

final class IntSource: Source {
  var items: [Int] = []
  func didReceive(_ item: Int) { items.append(item) }
  func cached() -> [Int] { items }
}

@Multicast
protocol Sorted<Key, Value>: AnyObject where Value: Collection, Value.Element == Key {
  associatedtype Key: Comparable & Sendable
  associatedtype Value
  func sort(_ value: Value) -> Key?
}

extension SortedMulticast: Sorted, Multicasting {}

final class Sorter: Sorted {
  func sort(_ value: [Int]) -> Int? { value.max() }
}

@Multicast
protocol ObjectDelegate: NSObjectProtocol, Sendable {
  func call() -> Int?
}

extension ObjectDelegateMulticast: ObjectDelegate, Multicasting {}

final class ObjectTarget: NSObject, ObjectDelegate {
  func call() -> Int? { 5 }
}

enum Outer {
  enum Inner {
    @Multicast
    protocol Delegate: AnyObject { func call() }
  }
}

extension Outer.Inner.DelegateMulticast: Outer.Inner.Delegate, Multicasting {}

@Multicast private protocol Hidden: AnyObject { func hide() }

extension HiddenMulticast: Hidden, Multicasting {}

private final class Hider: Hidden {
  let log: Log
  init(_ log: Log) { self.log = log }
  func hide() { log("hidden") }
}

func hide(_ log: Log) {
  let all = HiddenMulticast()
  let hider = Hider(log)
  all.add(hider)
  all.hide()
}
