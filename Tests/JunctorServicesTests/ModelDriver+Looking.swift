import JunctorCore
import JunctorTesting
import Synchronization

@testable import JunctorServices

// MARK: - Looking up

extension ModelDriver {
  /// Asks for one service in one of the ways there are.
  func look(_ key: Int, in index: Int) async {
    let (set, name) = (set(index), name(key))
    let way = next(5)
    let expected = model.look(key, in: index, awaiting: way == 0)
    switch way {
    case 0:
      compare(await found { try await set.resolve(Number.self, name: name) }, expected, key, index)
    case 1: compare(found { try set.require(Number.self, name: name) }, expected, key, index)
    case 2: compare(found { try set.service(Number.self, name: name) }, expected, key, index)
    default:
      // The quick way cannot tell a failure from nothing.
      let found: Found =
        name.map { set[Number.self, name: $0] }.map(Found.init) ?? Found(set[Number.self])
      compare(found, expected == .failure ? .nothing : expected, key, index)
    }
  }

  /// Asks for one that is made for an argument.
  func lookWithArgument(_ key: Int, in index: Int) async {
    let (set, name) = (set(index), name(key))
    let argument = next(3)
    let isAwaiting = next(2) == 0
    let expected = model.look(key, in: index, argument: argument, awaiting: isAwaiting)
    let found =
      isAwaiting
      ? await found { try await set.resolve(Number.self, name: name, argument: argument) }
      : found { try set.require(Number.self, name: name, argument: argument) }
    compare(found, expected, key, index)
  }

  /// Asks for the collection.
  func lookAtAll(in index: Int) async {
    let set = set(index)
    let isAwaiting = next(2) == 0
    let expected = model.all(in: index, awaiting: isAwaiting)
    let found =
      isAwaiting
      ? try? await set.resolveAll(Number.self).map(\.value)
      : try? set.all(Number.self).map(\.value)
    if found != expected {
      fail(
        "all in \(index): \(String(describing: found)) instead of \(String(describing: expected))")
    }
  }

  /// What somebody was given.
  private struct Found {
    var object: Number?
    var isFailure = false

    init(_ object: Number?) { self.object = object }

    init(_ error: any Error) {
      isFailure = (error as? ServiceError)?.code != .missing
    }

    var answer: Reference.Answer {
      if isFailure { return .failure }
      return object.map { .number($0.value) } ?? .nothing
    }
  }

  private func found(_ look: () throws -> Number?) -> Found {
    do { return Found(try look()) } catch { return Found(error) }
  }

  private func found(
    _ look: nonisolated(nonsending) () async throws -> Number?
  ) async -> Found {
    do { return Found(try await look()) } catch { return Found(error) }
  }

  private func compare(_ found: Found, _ expected: Reference.Answer, _ key: Int, _ index: Int) {
    if found.answer != expected {
      fail("\(key) in \(index): \(found.answer) instead of \(expected)")
    }
    // What is held is alive, and what is not is gone where nobody else holds it.
    let place = next(3 * held.count)
    guard place < held.count else { return }
    held[place] = found.object
    model.held[place] = found.object?.value
  }

  /// Several tasks ask for one asynchronous service at once, and some of them leave.
  func crowd(_ key: Int, in index: Int) async {
    guard !isWeak(key), !model.sets[index].isClosed,
      (model.sets[index].decorators[key] ?? []).isEmpty
    else { return }
    let (set, name, pauses) = (set(index), name(key), next(3))
    let make = make(.gives)
    set.override(Number.self, name: name) { services in
      for _ in 0..<pauses {
        await Task.yield()
        try Task.checkCancellation()
      }
      return try make(services)
    }
    let entry = Reference.Entry(.provider(.gives), isAsync: true)
    model.register(entry, key, in: index)
    let tasks = (0..<2 + next(3)).map { _ in
      Task { try await set.resolve(Number.self, name: name) }
    }
    var staying: [Task<Number, any Error>] = []
    for task in tasks {
      for _ in 0..<next(3) { await Task.yield() }
      if next(2) == 0 { task.cancel() } else { staying.append(task) }
    }
    let (seen, last) = await outcome(of: tasks, staying, set, name)
    guard let last else { return fail("a crowd at \(key) in \(index) got nothing") }
    if seen.contains(where: { $0 !== last }) { fail("a crowd at \(key) in \(index) got several") }
    // How often the provider began is the tasks' business; what came of it is kept.
    model.runs = ledger.runs.value
    model.adopt(last.value, key, in: index)
  }

  private func outcome(
    of tasks: [Task<Number, any Error>], _ staying: [Task<Number, any Error>], _ set: Services,
    _ name: ServiceName?
  ) async -> (seen: [Number], last: Number?) {
    var seen: [Number] = []
    for task in tasks {
      do { seen.append(try await task.value) } catch {
        if !(error is CancellationError) || staying.contains(task) { fail("a crowd got \(error)") }
      }
    }
    return (seen, try? await set.resolve(Number.self, name: name))
  }
}
