#if NATS
  /// What streams, consumers and delivery subjects are called, and which subjects cover which.
  enum JetStreamNames {
    /// The stream that keeps a subject's messages, where there is none yet: readable, and different for every subject.
    static func stream(for subject: String) -> String { "\(plain(subject))-\(mark(subject))" }

    /// What the server remembers one side's progress by.
    static func consumer(durable: String, subject: String) -> String {
      "\(durable)-\(mark(subject))"
    }

    /// Where the server sends what one side is to have.
    static func delivery(stream: String, consumer: String) -> String {
      "_junctor.\(stream).\(consumer)"
    }

    private static func plain(_ subject: String) -> String {
      let parts = subject.split(separator: ".").map { part in
        switch part {
        case "*": "any"
        case ">": "all"
        default:
          String(
            String.UnicodeScalarView(
              part.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                  ? scalar : "-"
              }))
        }
      }
      return String(parts.joined(separator: "_").prefix(64))
    }

    /// The Fowler–Noll–Vo hash in hexadecimal digits: the same in every process.
    private static func mark(_ subject: String) -> String {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in subject.utf8 {
        hash ^= UInt64(byte)
        hash &*= 0x0000_0100_0000_01b3
      }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether a pattern matches everything that another subject or pattern stands for.
    static func covers(_ pattern: String, _ other: String) -> Bool {
      let parts = pattern.split(separator: ".", omittingEmptySubsequences: false)
      let others = other.split(separator: ".", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if part == ">" { return others.count > index }
        guard index < others.count else { return false }
        if others[index] == ">" { return false }
        if part != "*", part != others[index] { return false }
      }
      return parts.count == others.count
    }

    /// How often a message was delivered, as the subject for its acknowledgement tells; 1 where it tells nothing.
    static func attempt(_ reply: String) -> Int {
      let parts = reply.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 9, parts[0] == "$JS", parts[1] == "ACK" else { return 1 }
      // Newer servers put two parts before the stream's name.
      return Int(parts[parts.count >= 11 ? 6 : 4]) ?? 1
    }
  }
#endif
