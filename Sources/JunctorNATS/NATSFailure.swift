#if NATS
  internal import CJunctorNATS
  internal import JunctorBridge
  internal import JunctorCore

  /// Makes errors of what the C client reports.
  enum NATSFailure {
    /// The connection is closed.
    static let gone = Int32(JUNCTOR_NATS_GONE)

    /// The error of a failure that concerns a server or a subject.
    static func error(_ failure: Int32, _ text: String, _ name: String) -> BridgeError {
      let name = shown(name)
      let text = text.isEmpty ? "no reason is given" : shown(text)
      switch Int(failure) {
      case JUNCTOR_NATS_UNAUTHORIZED:
        return BridgeError(
          .unauthorized,
          "Can't use '\(name)': the server does not accept the credentials, or does not permit this "
            + "(\(text)). Correct the credentials or the permissions.")
      case JUNCTOR_NATS_INSECURE:
        return BridgeError(
          .insecure,
          "Can't connect to '\(name)': the connection can't be made secure (\(text)). Check the "
            + "server's certificate, its date and its name, and the authorities that are trusted.")
      case JUNCTOR_NATS_TOO_LARGE: return tooLarge(name)
      case JUNCTOR_NATS_GONE: return closed(name)
      case JUNCTOR_NATS_INVALID:
        return BridgeError(
          .invalidOption,
          "Can't use '\(name)': the client does not understand it (\(text)). Correct the URL, the "
            + "subject or the files that are named.")
      case JUNCTOR_NATS_SLOW:
        return BridgeError(
          .slowConsumer,
          "Can't keep every message of '\(name)': they come faster than the listeners take them. "
            + "Make the listeners faster, share the work in a group, or promise at least once.")
      case JUNCTOR_NATS_TIMED_OUT:
        return BridgeError(
          .unconfirmed,
          "Can't tell whether '\(name)' has it: the server did not answer in time. It is tried again.",
          isTemporary: true)
      case JUNCTOR_NATS_NO_SERVER, JUNCTOR_NATS_LOST: return disconnected(name, text)
      default:
        return BridgeError(
          .disconnected, "Can't reach '\(name)': \(text). It is tried again.", isTemporary: true)
      }
    }

    /// The error of a connection that is not there now.
    static func disconnected(_ name: String, _ text: String) -> BridgeError {
      BridgeError(
        .disconnected,
        "Can't reach '\(shown(name))': \(text). Start the server; it is tried again.",
        isTemporary: true)
    }

    /// The error of a message whose confirmation did not come.
    static func unconfirmed(_ name: String) -> BridgeError {
      BridgeError(
        .unconfirmed,
        "Can't tell whether '\(shown(name))' was kept: the connection was lost or the server did not "
          + "answer in time. It is sent again.", isTemporary: true)
    }

    /// The error of a message that is too large.
    static func tooLarge(_ name: String) -> BridgeError {
      BridgeError(
        .tooLarge,
        "Can't send a message of '\(shown(name))': it is larger than the server accepts. Send less, or raise "
          + "'max_payload' on the server or the stream's limit.")
    }

    /// The error of a connection that was closed.
    static func closed(_ name: String) -> BridgeError {
      BridgeError(
        .closed, "Can't use '\(shown(name))': the connection was closed. Make a new one.")
    }
  }
#endif
