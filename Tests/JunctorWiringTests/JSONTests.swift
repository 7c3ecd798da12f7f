import JunctorWiring
import Testing

struct JSONTests {
  @Test(arguments: SampleName.allCases)
  func `W2 what is written as JSON is read back as it was`(sample: SampleName) throws {
    #expect(try Wiring(json: sample.wiring.json()) == sample.wiring)
  }

  @Test func `W2 every state, counter and time survives JSON`() throws {
    var make = Maker()
    let states: [Wiring.State] = [
      .alive, .paused, .pending(0), .pending(7), .dead, .failed(""), .failed("why\u{0}"),
    ]
    for state in states {
      _ = make.node(
        Wiring.NodeKind("of one's own"), "x", state: state, counters: ["max": .max, "zero": 0],
        times: ["build": .nanoseconds(1), "long": .seconds(9_000_000_000)])
    }
    #expect(try Wiring(json: make.wiring.json()) == make.wiring)
  }

  @Test func `W2 the JSON form is the documented one`() {
    var make = Maker()
    let channel = make.node(.channel, "a", type: "Int", state: .pending(2), counters: ["posted": 1])
    make.join(channel, .listens, channel, priority: 3)
    #expect(
      make.wiring.json() == """
        {
          "edges" : [
            {
              "from" : 1,
              "kind" : "listens",
              "priority" : 3,
              "to" : 1
            }
          ],
          "format" : "junctor.wiring",
          "nodes" : [
            {
              "counters" : {
                "posted" : 1
              },
              "id" : 1,
              "kind" : "channel",
              "label" : "a",
              "site" : {
                "file" : "Kit/File.swift",
                "line" : 1
              },
              "state" : {
                "count" : 2,
                "name" : "pending"
              },
              "type" : "Int"
            }
          ],
          "version" : 1
        }

        """)
  }

  @Test func `W2 a record cut anywhere is called truncated`() throws {
    let bytes = Array(Sample.small.json().utf8)
    // The last two bytes are the closing brace and the newline.
    for length in stride(from: 0, to: bytes.count - 1, by: 7) {
      let error = #expect(throws: WiringError.self) {
        try Wiring(json: Array(bytes.prefix(length)), name: "w.json")
      }
      #expect(error?.code == .truncated)
    }
    let error = #expect(throws: WiringError.self) { try Wiring(json: "", name: "w.json") }
    #expect(
      error?.message
        == "Can't read 'w.json': it ends before the record is complete. Write the file again, or copy all of it."
    )
  }

  @Test(arguments: [
    "hello", "[1, 2]", "\"text\"", "null", "{}", "{\"nodes\": [], \"edges\": []}",
    "{\"format\": \"another\", \"version\": 1}", "{\"format\": 1}", "<svg/>", "{]}",
    "{\"format\": \"junctor.wiring\"}",
  ])
  func `W2 what is not a wiring is called foreign`(text: String) {
    let error = #expect(throws: WiringError.self) { try Wiring(json: text) }
    #expect(error?.code == .foreign)
  }

  @Test func `W2 bytes that are no UTF-8 are an error, not a trap`() {
    let error = #expect(throws: WiringError.self) { try Wiring(json: [0xFF, 0xFE, 0x00, 0x7B]) }
    #expect(error?.code == .foreign)
  }

  @Test func `W2 a newer version says which one this Junctor reads`() {
    let error = #expect(throws: WiringError.self) {
      try Wiring(json: "{\"format\": \"junctor.wiring\", \"version\": 2, \"things\": {}}")
    }
    #expect(error?.code == .newerVersion)
    #expect(
      error?.message
        == "Can't read 'wiring': it has version 2, and this Junctor reads up to version 1. Use a newer Junctor."
    )
  }

  @Test(arguments: [
    ("{\"id\": 1, \"kind\": \"channel\"}", "", "'label' is missing at 'nodes[0]'"),
    (
      "{\"id\": \"x\", \"kind\": \"a\", \"label\": \"\"}", "",
      "a value has the wrong type at 'nodes[0].id'"
    ),
    (
      "{\"id\": 1, \"kind\": \"a\", \"label\": \"\"}, {\"id\": 1, \"kind\": \"a\", \"label\": \"\"}",
      "",
      "node 1 appears twice"
    ),
    (
      "{\"id\": 1, \"kind\": \"a\", \"label\": \"\", \"parent\": 9}", "",
      "node 1 belongs to node 9, which is not there"
    ),
    ("", "{\"from\": 1, \"to\": 2, \"kind\": \"a\"}", "edge 0 joins node 1, which is not there"),
    (
      "{\"id\": 1, \"kind\": \"a\", \"label\": \"\", \"state\": {\"name\": \"odd\"}}", "",
      "node 1 is in the unknown state 'odd'"
    ),
  ])
  func `W2 what does not fit together is named`(nodes: String, edges: String, cause: String) {
    let json =
      "{\"format\": \"junctor.wiring\", \"version\": 1, \"nodes\": [\(nodes)], \"edges\": [\(edges)]}"
    let error = #expect(throws: WiringError.self) { try Wiring(json: json, name: "w") }
    #expect(error?.code == .damaged)
    #expect(error?.message == "Can't read 'w': \(cause). Write the file again.")
  }

  @Test func `W2 fields that this version does not know are passed over`() throws {
    let json = """
      {"format": "junctor.wiring", "version": 1, "extra": [1], "edges": [],
       "nodes": [{"id": 1, "kind": "channel", "label": "a", "colour": "red"}]}
      """
    #expect(try Wiring(json: json).nodes.map(\.label) == ["a"])
  }

  @Test func `W2 sites that were read are equal to those of the compiler, however many there are`()
    throws
  {
    let site = SourceSite(fileID: "Kit/File.swift", line: 3)
    #expect(SourceSite(interning: "Kit/File.swift", line: 3) == site)
    #expect(SourceSite(interning: "Kit/File.swift", line: 3).hashValue == site.hashValue)
    #expect(SourceSite(interning: "Kit/Fill.swift", line: 3) != site)
    #expect(SourceSite(interning: "Kit/File.swift", line: 4) != site)
  }
}
