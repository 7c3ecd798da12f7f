internal import JunctorCore

/// A named, typed line between objects that do not know each other.
///
/// A channel is a value: an exchange, a name and a message type. It needs no creation step; two values with the same
/// three mean the same channel, and a channel that nobody listens to leaves nothing behind.
///
/// ```swift
/// extension Channel where Message == Login {
///   static let loggedIn = Channel("account.loggedIn")
/// }
///
/// Channel.loggedIn.listen(for: self) { me, login in me.show(login) }
/// Channel.loggedIn.post(Login(name: "Ada"))
/// ```
///
/// - Listeners are called in the order of their priority, higher first, then of their registration.
/// - A post calls the list as it stood when it began, without those who were removed or died meanwhile.
/// - A post from inside a listener nests: when `post` returns, the message has been delivered.
/// - A listener bound to an owner is held weakly and gone with it; one without an owner lives by its subscription.
///
/// ## Concurrency
/// May be used from any thread and any task. Plain listeners run on the poster's thread; those of an actor, a queue or an
/// executor run there, see `DeliveryMode`. Retains its exchange, no owner, and no listener.
@frozen
public struct Channel<Message: Sendable>: Sendable {
  /// What the value names, in the exchange in which it was made.
  @usableFromInline let home: Topic

  /// Names a channel of the shared exchange, whichever that is where the channel is used.
  ///
  /// - Parameters:
  ///   - name: any text; dots divide it for patterns.
  ///   - options: how messages are treated; joins what others asked for this channel.
  ///   - fileID: where the channel is named.
  ///   - line: where the channel is named.
  /// - Complexity: O(length of the name). Keep the value where it is posted to often.
  public init(
    _ name: String, options: ChannelOptions = ChannelOptions(), fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(name, in: .process, options: options, fileID: fileID, line: line)
  }

  /// Names a channel of one exchange.
  ///
  /// - Parameters:
  ///   - name: any text; dots divide it for patterns.
  ///   - exchange: where the channel belongs.
  ///   - options: how messages are treated; joins what others asked for this channel.
  ///   - fileID: where the channel is named.
  ///   - line: where the channel is named.
  /// - Complexity: O(length of the name). Keep the value where it is posted to often.
  public init(
    _ name: String, in exchange: Exchange, options: ChannelOptions = ChannelOptions(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let site = SourceSite(fileID: fileID, line: line)
    home = exchange.topic(name, TopicKind(Message.self), flags: options.flags, site: site)
    home.keep(Message.self, options.replay, site: site)
  }

  /// The channel's name.
  public var name: String { home.name }

  /// The exchange that the channel belongs to here: inside `Exchange.withShared`, the one given there.
  public var exchange: Exchange { topic.exchange }

  /// Whether anybody listens now, patterns included.
  ///
  /// - Complexity: O(1).
  public var hasListeners: Bool { !topic.list.isEmpty }

  /// What the value names here: in a scope, the topic of the same name and type in the scope's exchange.
  var topic: Topic { home.resolved }
}

extension Channel: Hashable {
  /// Whether both name the same channel: the same exchange, name and message type.
  public static func == (left: Channel, right: Channel) -> Bool { left.home === right.home }

  /// Hashes what the value names.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(home)) }
}

extension Channel: CustomStringConvertible {
  /// The name and the message type.
  public var description: String { "\(name): \(Message.self)" }
}
