#if Inspector
  extension InspectorPage {
    /// The page's style, light and dark.
    static let style = """
      :root { color-scheme: light dark; --page:#fff; --part:#f5f7fa; --ink:#16202c; --faint:#566270; --line:#cbd3dc;
        --channels:#1556c0; --delegates:#7a2fb5; --handover:#006d72; --services:#2d6a1f; --objects:#566270;
        --warning:#a84f00; --alarm:#c01528; --alarmfill:#ffe7e7; --warningfill:#fff3dc; --chosen:#dbe8ff; }
      @media (prefers-color-scheme: dark) { :root { --page:#11161d; --part:#1a212b; --ink:#eef2f6; --faint:#a9b4c0;
        --line:#3a4654; --channels:#79b0ff; --delegates:#cfa0ff; --handover:#5fd4d6; --services:#93d67e;
        --objects:#a9b4c0; --warning:#ffb454; --alarm:#ff7b85; --alarmfill:#43191f; --warningfill:#3a2c12;
        --chosen:#24406b; } }
      * { box-sizing: border-box; }
      html, body { height: 100%; margin: 0; }
      body { background: var(--page); color: var(--ink); font: 14px/1.4 system-ui, Helvetica, Arial, sans-serif;
        display: flex; flex-direction: column; }
      header, nav, footer { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: baseline; padding: .4rem .8rem; }
      h1 { font-size: 1.1rem; margin: 0; } h2 { font-size: 1rem; margin: .4rem 0; }
      nav { border-bottom: 1px solid var(--line); }
      footer { border-top: 1px solid var(--line); color: var(--faint); font-size: .85rem; }
      input[type=search] { font: inherit; color: inherit; background: var(--part); border: 1px solid var(--line);
        border-radius: 4px; padding: .2rem .5rem; min-width: 16rem; }
      :focus-visible { outline: 2px solid var(--channels); outline-offset: 1px; }
      main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(14rem, 1fr) 2.4fr minmax(14rem, 1.1fr); }
      section { overflow: auto; padding: .4rem .8rem; min-width: 0; }
      section + section { border-left: 1px solid var(--line); }
      ul, ol { list-style: none; margin: 0; padding: 0; }
      #nodes li { padding: .15rem .4rem; border-left: 4px solid var(--hue); margin: 1px 0; cursor: pointer;
        white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      #nodes li small { color: var(--faint); }
      #nodes li[aria-selected=true] { background: var(--chosen); }
      li.deadend { background: var(--warningfill); } li.alarm { background: var(--alarmfill); }
      .deadend > b, span.deadend, .deadend > small { color: var(--warning) !important; }
      .alarm > b, span.alarm, .alarm > small { color: var(--alarm) !important; }
      #history li { border-bottom: 1px solid var(--line); padding: .1rem 0; font-size: .85rem; overflow-wrap: anywhere; }
      #history small { color: var(--faint); }
      #history .failure b, #history .drop b { color: var(--alarm); }
      dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; } dt { color: var(--faint); }
      dd { margin: 0; overflow-wrap: anywhere; }
      svg { display: block; max-width: 100%; height: auto; }
      svg text { fill: var(--ink); font-size: 12px; } svg text.small { fill: var(--faint); font-size: 10px; }
      svg rect { fill: var(--part); stroke: var(--hue); stroke-width: 1.2; }
      svg g.deadend rect { fill: var(--warningfill); stroke: var(--warning); stroke-width: 2; }
      svg g.alarm rect { fill: var(--alarmfill); stroke: var(--alarm); stroke-width: 2; }
      svg g.chosen rect { stroke-width: 3; } svg g { cursor: pointer; }
      svg path { fill: none; stroke: var(--hue); stroke-width: 1.4; } svg path.dashed { stroke-dasharray: 5 3; }
      svg path.dotted { stroke-dasharray: 1 4; } svg marker path { fill: var(--faint); stroke: none; }
      .Channels { --hue: var(--channels); } .Delegates { --hue: var(--delegates); } .Handover { --hue: var(--handover); }
      .Services { --hue: var(--services); } .Objects { --hue: var(--objects); }
      @media (max-width: 60rem) { main { grid-template-columns: 1fr; } section + section { border-left: 0;
        border-top: 1px solid var(--line); } }
      """
  }
#endif
