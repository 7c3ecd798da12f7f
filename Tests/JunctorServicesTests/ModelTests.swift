import JunctorCore
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorServices

/// What a set of services shall do, as plainly as it can be said.
private final class Reference {
  enum Behaviour: CaseIterable { case gives, givesNothing, throwsFirst }
  enum Kind { case value(Int), cached(Behaviour), transient(Behaviour), scoped(Behaviour) }

  struct Entry {
    var kind: Kind
    var built: Int?
    var perScope: [Int: Int] = [:]
    var runs = 0
  }

  struct Set {
    var alternate: Int?
    var isScope: Bool
    var entries: [Int: Entry] = [:]
    var decorators: [Int: [Int]] = [:]
  }

  var sets: [Set]
  /// The number that the next provider gives.
  var next = 0

  init(_ sets: [Set]) { self.sets = sets }

  enum Answer: Equatable { case number(Int), nothing, failure }

  func look(_ key: Int, in asked: Int) -> Answer {
    look(key, in: asked, asked: asked)
  }

  private func look(_ key: Int, in set: Int, asked: Int) -> Answer {
    var answer = own(key, in: set, asked: asked)
    if answer == .nothing, let alternate = sets[set].alternate {
      answer = look(key, in: alternate, asked: asked)
    }
    guard case .number(let number) = answer else { return answer }
    return .number((sets[set].decorators[key] ?? []).reduce(number, Number.wrap))
  }

  private func own(_ key: Int, in set: Int, asked: Int) -> Answer {
    guard var entry = sets[set].entries[key] else { return .nothing }
    defer { sets[set].entries[key] = entry }
    switch entry.kind {
    case .value(let number): return .number(number)
    case .cached(let behaviour):
      if let built = entry.built { return .number(built) }
      let answer = run(behaviour, &entry)
      if case .number(let number) = answer { entry.built = number }
      return answer
    case .transient(let behaviour): return run(behaviour, &entry)
    case .scoped(let behaviour):
      var candidate: Int? = asked
      while let scope = candidate, !sets[scope].isScope {
        candidate = scope == set ? nil : sets[scope].alternate
      }
      guard let scope = candidate else { return .failure }
      if let built = entry.perScope[scope] { return .number(built) }
      let answer = run(behaviour, &entry)
      if case .number(let number) = answer { entry.perScope[scope] = number }
      return answer
    }
  }

  private func run(_ behaviour: Behaviour, _ entry: inout Entry) -> Answer {
    entry.runs += 1
    next += 1
    switch behaviour {
    case .gives: return .number(next)
    case .givesNothing: return .nothing
    case .throwsFirst: return entry.runs == 1 ? .failure : .number(next)
    }
  }
}

private final class Number: Sendable {
  let value: Int
  init(_ value: Int) { self.value = value }

  /// What a decorator of that number makes of a value.
  static func wrap(_ value: Int, _ decorator: Int) -> Int { value &* 31 &+ decorator }
}

@Suite struct ModelTests {
  /// The provider of the same behaviour.
  private func provider(
    _ behaviour: Reference.Behaviour, _ numbers: Counter
  ) -> @Sendable (Services) throws -> Number? {
    let runs = Counter()
    return { _ in
      let number = numbers.next()
      let run = runs.next()
      switch behaviour {
      case .gives: return Number(number)
      case .givesNothing: return nil
      case .throwsFirst:
        if run == 1 { throw Trouble() }
        return Number(number)
      }
    }
  }

  @Test func `S18 10⁵ random steps do what the plain model does`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("ModelTests seed: \(seed)")
    var random = SplitMix(seed: seed)
    for _ in 0..<20 {
      // Each set may stand in front of those before it, so there are no rings.
      let model = Reference(
        (0..<6).map { Reference.Set(alternate: $0 == 0 ? nil : $0 - 1, isScope: $0 % 2 == 1) })
      let sets = (0..<6).map { Services("\($0)", scope: $0 % 2 == 1 ? "odd" : nil) }
      for index in 1..<6 { sets[index].alternateServices = sets[index - 1] }
      let numbers = Counter()
      for step in 0..<5_000 {
        let index = Int.random(in: 0..<6, using: &random)
        let key = Int.random(in: 0..<6, using: &random)
        let name: ServiceName? = key == 0 ? nil : ServiceName("\(key)")
        let set = sets[index]
        func behave() -> Reference.Behaviour {
          Reference.Behaviour.allCases.randomElement(using: &random) ?? .gives
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          set.set(Number.self, name: name, to: Number(-step))
          model.sets[index].entries[key] = .init(kind: .value(-step))
        case 1:
          let behaviour = behave()
          set.override(Number.self, name: name, provider(behaviour, numbers))
          model.sets[index].entries[key] = .init(kind: .cached(behaviour))
        case 2:
          let behaviour = behave()
          set.override(
            Number.self, name: name, lifetime: .transient, provider(behaviour, numbers))
          model.sets[index].entries[key] = .init(kind: .transient(behaviour))
        case 3:
          let behaviour = behave()
          set.override(
            Number.self, name: name, lifetime: .scoped("odd"), provider(behaviour, numbers))
          model.sets[index].entries[key] = .init(kind: .scoped(behaviour))
        case 4:
          set.remove(Number.self, name: name)
          model.sets[index].entries[key] = nil
        case 5 where (model.sets[index].decorators[key] ?? []).count < 3:
          set.decorate(Number.self, name: name) { inner, _ in Number(Number.wrap(inner.value, step))
          }
          model.sets[index].decorators[key, default: []].append(step)
        case 6 where index > 0:
          let alternate =
            Bool.random(using: &random) ? Int.random(in: 0..<index, using: &random) : nil
          set.alternateServices = alternate.map { sets[$0] }
          model.sets[index].alternate = alternate
        default:
          let expected = model.look(key, in: index)
          let found: Reference.Answer
          do {
            found = try set.service(Number.self, name: name).map { .number($0.value) } ?? .nothing
          } catch {
            found = .failure
          }
          if found != expected {
            Issue.record(
              "seed \(seed), step \(step), \(key) in \(index): \(found) instead of \(expected)")
            return
          }
          // The quick way must say the same.
          let again: Reference.Answer =
            switch model.look(key, in: index) {
            case .failure: .nothing
            case let answer: answer
            }
          let quick = Diagnostics().collect {
            if let name { set[Number.self, name: name] } else { set[Number.self] }
          }
          #expect(quick.map { .number($0.value) } ?? .nothing == again)
        }
      }
      #expect(numbers.value == model.next)
    }
  }
}
