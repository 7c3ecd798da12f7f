public import JunctorBridge

/// What every engine behind bridges must do, as a list of rules that a test runs one by one.
///
/// <!-- not compiled: the engine is somebody else's -->
/// ```swift
/// @Test(arguments: BridgeContract.rules)
/// func `the engine keeps the contract`(rule: BridgeContract.Rule) async throws {
///   try await rule.check(BridgeContract.World { MyEngine(server) })
/// }
/// ```
///
/// ## Concurrency
/// A namespace. Rules may be checked side by side, also on one server: every check uses subjects of its own.
public enum BridgeContract {
  /// Where the engines of a check come from.
  ///
  /// ## Concurrency
  /// A value; the closures are called from the check's task.
  public struct World: Sendable {
    /// Makes one more engine, connected to the one server, as if in a process of its own.
    public var connect: @Sendable () async throws -> any BridgeEngine

    /// Stops the server as if by a power cut, and starts it again with what it had kept.
    ///
    /// `nil` skips the rules about it.
    public var restart: (@Sendable () async throws -> Void)?

    /// How long a check waits for what must come.
    public var patience = Duration.seconds(20)

    /// Says where engines come from.
    ///
    /// - Parameters:
    ///   - connect: makes one more engine.
    ///   - restart: stops the server and starts it again.
    public init(
      restart: (@Sendable () async throws -> Void)? = nil,
      connect: @escaping @Sendable () async throws -> any BridgeEngine
    ) {
      self.connect = connect
      self.restart = restart
    }
  }

  /// One rule.
  ///
  /// ## Concurrency
  /// A value; may be checked from any task.
  public struct Rule: Sendable, CustomStringConvertible {
    /// The rule as a sentence.
    public let description: String
    private let body: @Sendable (World, Subject) async throws -> Void

    /// Writes a rule down.
    init(_ description: String, _ body: @escaping @Sendable (World, Subject) async throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Checks the rule.
    ///
    /// - Parameter world: where the engines come from.
    /// - Throws: `Violation` if it is broken, or what the world throws.
    public func check(_ world: World) async throws {
      // An engine may close when nobody holds it any longer, so all of them are held to the end.
      let engines = EngineList()
      var own = world
      own.connect = {
        let engine = try await world.connect()
        engines.add(engine)
        return engine
      }
      try await body(own, Subject(rule: description))
      withExtendedLifetime(engines) {}
    }
  }

  /// How a rule was broken.
  public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  /// The subjects and names of one check, which no other check uses.
  struct Subject: Sendable {
    /// The rule.
    let rule: String
    /// Begins every subject.
    let root = "contract.r\(UInt64.random(in: .min ... .max))"
    /// A durable name.
    let durable = "d\(UInt64.random(in: .min ... .max))"

    /// A subject of the check.
    func callAsFunction(_ name: String) -> String { "\(root).\(name)" }

    /// Breaks the rule, unless something holds.
    func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
      if !holds { throw Violation(description: "'\(rule)' does not hold: \(otherwise()).") }
    }
  }

  /// All rules, in the order in which an engine is best built.
  public static let rules: [Rule] = plainRules + keptRules + restartRules
}
