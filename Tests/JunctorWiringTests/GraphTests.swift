import Testing

@testable import JunctorWiring

struct GraphTests {
  @Test func `W2 DOT draws mechanisms and exchanges as clusters and objects between them`() {
    let dot = Sample.everything.dot()
    for name in ["Channels", "Delegates", "Handover", "Services"] {
      #expect(dot.contains("subgraph \"cluster_\(name)\""))
    }
    #expect(!dot.contains("cluster_Objects"))
    #expect(dot.contains("subgraph \"cluster_n1\""))
    #expect(dot.contains("\"n2\" -> \"n9\""))
  }

  @Test(arguments: [WiringTheme.light, .dark])
  func `W2 DOT colours dead ends and failures and explains them in a legend`(theme: WiringTheme) {
    let dot = Sample.everything.dot(theme: theme)
    #expect(dot.contains("! has no target"))
    #expect(dot.contains("fillcolor=\"\(theme.palette.warningFill)\""))
    #expect(dot.contains("fillcolor=\"\(theme.palette.alarmFill)\""))
    #expect(dot.contains("\"legend\""))
    #expect(dot.contains("collision or failure"))
    #expect(dot.contains("bgcolor=\"\(theme.palette.page)\""))
  }

  @Test func `W2 a warning colour appears only where there is something to warn of`() {
    let dot = Sample.small.dot()
    #expect(!dot.contains(WiringTheme.light.palette.warning))
    #expect(!dot.contains(WiringTheme.light.palette.alarm))
  }

  @Test func `W2 every DOT and Mermaid line is whole, whatever the names`() {
    let dot = Sample.awkwardly.dot()
    #expect(!dot.contains("<script"))
    #expect(dot.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    for line in dot.split(separator: "\n") where line.contains("tooltip=\"") {
      #expect(line.hasSuffix("];"))
    }
    let mermaid = Sample.awkwardly.mermaid()
    #expect(!mermaid.contains("<script"))
    #expect(mermaid.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    for line in mermaid.split(separator: "\n") where !line.hasPrefix("%%") {
      #expect(line.filter { $0 == "\"" }.count.isMultiple(of: 2))
    }
  }

  @Test func `W2 Mermaid draws clusters, states and links`() {
    #expect(
      Sample.small.mermaid() == """
        %%{init: {"theme": "default", "maxEdges": 10000}}%%
        flowchart LR
          subgraph Channels
            subgraph n1s["exchange 'app'"]
              n2["articleRead<br/>channel · NewsreaderKit.Article<br/>delivered 24 · posted 12<br/>Kit#47;File.swift:2"]:::Channels
            end
          end
          n3(["ReadingScreen<br/>object<br/>Kit#47;File.swift:3"]):::Objects
          n4(["ListScreen<br/>object<br/>Kit#47;File.swift:4"]):::Objects
          n5(["Badge<br/>object<br/>Kit#47;File.swift:5"]):::Objects
          n3 -.->|"posts"| n2
          n2 -->|"listens · priority 5 · on MainActor"| n4
          n2 -->|"listens · paused"| n5
          subgraph Legend
            legend0["Channels"]:::Channels
            legend1["Objects"]:::Objects
            legend2["dead end"]:::warning
            legend3["collision or failure"]:::alarm
          end
          classDef Channels fill:#ffffff,stroke:#1556c0,color:#16202c
          classDef Delegates fill:#ffffff,stroke:#7a2fb5,color:#16202c
          classDef Handover fill:#ffffff,stroke:#006d72,color:#16202c
          classDef Services fill:#ffffff,stroke:#2d6a1f,color:#16202c
          classDef Objects fill:#ffffff,stroke:#566270,color:#16202c
          classDef warning fill:#fff3dc,stroke:#a84f00,color:#16202c,stroke-width:2px
          classDef alarm fill:#ffe7e7,stroke:#c01528,color:#16202c,stroke-width:2px
          linkStyle 0 stroke:#1556c0
          linkStyle 1 stroke:#1556c0
          linkStyle 2 stroke:#1556c0

        """)
  }

  @Test(arguments: [WiringTheme.light, .dark])
  func `W2 all text has a contrast of at least 4.5 to 1`(theme: WiringTheme) {
    let palette = theme.palette
    let texts = [palette.ink, palette.faint] + palette.hues.values
    for text in texts {
      for ground in [palette.page, palette.cluster, palette.node] {
        #expect(contrast(text, ground) >= 4.5, "\(text) on \(ground)")
      }
    }
    #expect(contrast(palette.warning, palette.warningFill) >= 4.5)
    #expect(contrast(palette.alarm, palette.alarmFill) >= 4.5)
    #expect(contrast(palette.ink, palette.warningFill) >= 4.5)
    #expect(contrast(palette.ink, palette.alarmFill) >= 4.5)
    #expect(contrast(palette.faint, palette.warningFill) >= 4.5)
    #expect(contrast(palette.faint, palette.alarmFill) >= 4.5)
  }

  /// The ratio of WCAG 2.
  private func contrast(_ first: String, _ second: String) -> Double {
    let lights = [luminance(first), luminance(second)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private func luminance(_ colour: String) -> Double {
    let number = Int(colour.dropFirst(), radix: 16) ?? 0
    let parts = [number >> 16, number >> 8, number].map { part in
      let value = Double(part & 0xFF) / 255
      return value <= 0.03928 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// Raises by a power between 2 and 3, by the fifth root, to do without the C library.
  private func power(_ base: Double, _ exponent: Double) -> Double {
    var root = base
    // Newton's method for root⁵ = base.
    for _ in 0..<60 {
      root -= (root * root * root * root * root - base) / (5 * root * root * root * root)
    }
    return base * base * root * root
  }
}
