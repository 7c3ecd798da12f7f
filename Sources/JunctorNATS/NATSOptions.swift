#if NATS
  internal import JunctorCore

  /// How to connect to a NATS server, and how it keeps messages that are promised at least once.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct NATSOptions: Sendable, Hashable {
    /// Who the connection is.
    public struct Credentials: Sendable, Hashable {
      enum Kind: Sendable, Hashable {
        case none, user(String, String), token(String), file(String)
      }

      let kind: Kind

      /// Nobody in particular, or whom the URL names.
      public static let none = Credentials(kind: .none)

      /// A user and a password.
      ///
      /// - Parameters:
      ///   - name: the user.
      ///   - password: the password.
      /// - Returns: the credentials.
      public static func user(_ name: String, password: String) -> Credentials {
        Credentials(kind: .user(name, password))
      }

      /// A token.
      ///
      /// - Parameter token: the token.
      /// - Returns: the credentials.
      public static func token(_ token: String) -> Credentials { Credentials(kind: .token(token)) }

      /// A file with a user's token and key, as `nsc` writes it.
      ///
      /// - Parameter path: the file.
      /// - Returns: the credentials.
      public static func file(_ path: String) -> Credentials { Credentials(kind: .file(path)) }
    }

    /// How the connection is encrypted.
    public struct Encryption: Sendable, Hashable {
      /// The file of the authorities to trust beside the system's, in PEM; `nil` for none.
      public var authorities: String?
      /// The file of this side's certificate, in PEM; `nil` for none.
      public var certificate: String?
      /// The file of the certificate's key, in PEM.
      public var key: String?
      /// The name that the server's certificate must bear; `nil` for the one in the URL.
      public var hostname: String?

      /// Begins with what is usual: the system's authorities, no certificate of its own.
      public init() {}
    }

    /// How the server keeps messages that are promised at least once.
    public struct Storage: Sendable, Hashable {
      /// How many bytes of one channel's messages are kept at most; 0 for no limit.
      ///
      /// When that is reached, the server refuses more.
      public var mostBytes: Int64 = 0
      /// How many messages of one channel are kept at most, in the same way. 0 for no limit.
      public var mostMessages: Int64 = 0
      /// After what time a message is forgotten even if somebody has not had it; `nil` for never.
      public var longestAge: Duration?
      /// On how many servers each message is kept: 1, 3 or 5.
      public var replicas = 1
      /// Whether messages are kept in memory rather than on disk.
      public var isInMemory = false
      /// Whether messages stay after everybody has had them, until a limit is reached.
      public var keepsHandled = false

      /// Begins with what is usual: on disk, on one server, until everybody has had them.
      public init() {}
    }

    /// What the connection is called in the server's lists.
    public var name = "junctor"
    /// Who the connection is.
    public var credentials = Credentials.none
    /// How the connection is encrypted; `nil` unless the URL begins with `tls`.
    public var encryption: Encryption?
    /// How the server keeps messages.
    public var storage = Storage()
    /// How long to wait between attempts to connect.
    public var reconnectWait = Duration.milliseconds(250)
    /// How often to ask whether the server is still there; a connection is given up when two go unanswered.
    public var pingInterval = Duration.seconds(5)
    /// How long one attempt to connect may take.
    public var connectTimeout = Duration.seconds(2)
    /// How long the server may take to confirm a message before it is sent again.
    public var confirmTimeout = Duration.seconds(5)

    /// Begins with what is usual.
    public init() {}
  }

  extension Duration {
    /// The duration in whole milliseconds, at least one, and so few that their nanoseconds can be counted.
    var milliseconds: Int64 {
      max(1, waitable.nanoseconds / 1_000_000)
    }
  }
#endif
