#if Inspector
  extension InspectorPage {
    /// The page's script. Texts of the program's go into the page as text only, never as markup.
    static let script = #"""
      "use strict";
      const token = new URLSearchParams(location.search).get("token") || "";
      const at = (path) => path + "?token=" + encodeURIComponent(token);
      const $ = (id) => document.getElementById(id);
      const make = (tag, text, name) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text;
        if (name) e.className = name; return e; };
      const parts = { channel: "Channels", exchange: "Channels", multicast: "Delegates", receiver: "Handover",
        service: "Services", services: "Services" };
      const joins = { listens: "Channels", posts: "Channels", "delegates to": "Delegates", "handed over": "Handover",
        "awaits result": "Handover", provides: "Services", "depends on": "Services", "falls back to": "Services" };
      const strokes = { posts: "dashed", "awaits result": "dashed", "depends on": "dashed", "falls back to": "dotted" };
      const all = ["Channels", "Delegates", "Handover", "Services", "Objects"];
      const shown = new Set(all);
      const rows = 400, whole = 60, around = 24, kept = 300;
      let nodes = [], edges = [], findings = new Map(), byId = new Map(), beside = new Map();
      let chosen = null, matching = [], busy = false, again = false, lost = 0, stamps = [];
      // Numbers of nodes change from one snapshot to the next; a key stands for what a node is.
      let keys = new Map(), before = new Map(), rates = new Map(), taken = 0;

      const part = (node) => parts[node.kind] || "Objects";
      const level = (id) => { const f = findings.get(id); if (!f) return "";
        return f.some((x) => x.kind !== "dead end") ? "alarm" : "deadend"; };
      const clip = (text, size) => { const c = Array.from(text.slice(0, size * 4).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "\u00b7"));
        return c.length > size ? c.slice(0, size).join("") + "…" : c.join(""); };
      const name = (node) => node.label.trim() === "" ? "(" + node.kind + ")" : clip(node.label, 60);
      const state = (s) => !s ? "" : s.name === "pending" ? "pending " + s.count : s.name;

      function identify(list) {
        const seen = new Map(), found = new Map();
        for (const n of list) {
          const what = JSON.stringify([n.kind, n.label, n.type, n.site && n.site.file, n.site && n.site.line]);
          const place = seen.get(what) || 0; seen.set(what, place + 1); found.set(n.id, what + place);
        }
        return found;
      }

      function measure(list) {
        const now = performance.now(), seconds = (now - taken) / 1000, counts = new Map(); rates = new Map();
        for (const n of list) {
          const key = keys.get(n.id), old = before.get(key), found = {};
          counts.set(key, n.counters || {});
          if (old && taken) for (const k in n.counters || {}) {
            const more = n.counters[k] - (old[k] || 0); if (more > 0) found[k] = more / seconds;
          }
          rates.set(n.id, found);
        }
        before = counts; taken = now;
      }
      const speed = (r) => r === undefined ? "" : " (+" + (r < 100 ? r.toFixed(1) : Math.round(r)) + "/s)";

      async function load() {
        if (busy) { again = true; return; }
        busy = true;
        try {
          const [a, b] = await Promise.all([fetch(at("wiring.json")), fetch(at("state.json"))]);
          if (!a.ok || !b.ok) throw new Error("status " + a.status);
          const wiring = await a.json(), more = await b.json();
          const kept = chosen === null ? null : keys.get(chosen);
          nodes = wiring.nodes; edges = wiring.edges;
          keys = identify(nodes); measure(nodes);
          if (kept !== null) { chosen = null; for (const [id, key] of keys) if (key === kept) chosen = id; }
          byId = new Map(nodes.map((n) => [n.id, n]));
          beside = new Map();
          for (const e of edges) for (const end of e.from === e.to ? [e.from] : [e.from, e.to]) {
            if (!beside.has(end)) beside.set(end, []);
            beside.get(end).push(e);
          }
          findings = new Map();
          for (const f of more.findings) { if (!findings.has(f.node)) findings.set(f.node, []); findings.get(f.node).push(f); }
          const counted = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");
          $("summary").textContent = [counted(nodes.length, "node"), counted(edges.length, "edge"),
            counted(more.findings.length, "warning")].join(", ") +
            (more.refused ? ", " + counted(more.refused, "page") + " refused" : "");
          show();
        } catch (error) { $("summary").textContent = "Can't load the wiring: " + error.message + ". Reload the page."; }
        busy = false;
        if (again) { again = false; setTimeout(load, 400); }
      }

      function show() {
        const wanted = $("search").value.toLowerCase(), only = $("problems").checked;
        matching = nodes.filter((n) => shown.has(part(n)) && (!only || findings.has(n.id)) && (wanted === "" ||
          [n.label, n.type || "", n.kind, n.site ? n.site.file + ":" + n.site.line : ""].some((t) => t.toLowerCase().includes(wanted))));
        const list = document.createDocumentFragment();
        let first = Math.max(0, matching.findIndex((n) => n.id === chosen) - rows / 2);
        if (matching.length <= rows) first = 0;
        for (const n of matching.slice(first, first + rows)) {
          const item = make("li", undefined, part(n) + " " + level(n.id));
          item.id = "n" + n.id; item.setAttribute("role", "option"); item.dataset.node = n.id;
          item.setAttribute("aria-selected", String(n.id === chosen));
          item.append(make("b", name(n)), " ", make("small", [n.kind, state(n.state)].concat(Object.keys(rates.get(n.id) || {}).sort()
            .map((k) => k + speed(rates.get(n.id)[k]))).filter(Boolean).join(" · ")));
          for (const f of findings.get(n.id) || []) item.append(" ", make("small", "! " + clip(f.message, 120)));
          list.append(item);
        }
        $("nodes").replaceChildren(list);
        $("nodes").setAttribute("aria-activedescendant", chosen === null ? "" : "n" + chosen);
        $("more").textContent = matching.length === 0 ? "Nothing matches." : matching.length > rows ?
          "Showing " + rows + " of " + matching.length + ". Search to see others." : "";
        draw(); describe();
      }

      function draw() {
        let left = [], middle = [], right = [], lines = [], note = "";
        if (chosen !== null) {
          const near = beside.get(chosen) || [];
          const seen = new Set([chosen]);
          const side = (ids) => { const r = []; for (const id of ids) if (!seen.has(id) && byId.has(id)) { seen.add(id); r.push(id); } return r; };
          left = side(near.filter((e) => e.to === chosen).map((e) => e.from));
          right = side(near.filter((e) => e.from === chosen).map((e) => e.to));
          const over = Math.max(0, left.length - around) + Math.max(0, right.length - around);
          if (over) note = over + " more neighbours";
          left = left.slice(0, around); right = right.slice(0, around); middle = [chosen];
          lines = near;
        } else if (matching.length <= whole) {
          const targets = new Set(edges.map((e) => e.to));
          for (const n of matching) (part(n) !== "Objects" ? middle : targets.has(n.id) ? right : left).push(n.id);
          lines = edges;
        } else note = matching.length + " nodes: choose one, or search, to see a picture.";
        render([left, middle, right], lines, note);
      }

      const spaces = "http://www.w3.org/2000/svg";
      const shape = (tag, values, text) => { const e = document.createElementNS(spaces, tag);
        for (const k in values) e.setAttribute(k, values[k]); if (text !== undefined) e.textContent = text; return e; };

      function render(columns, lines, note) {
        const box = { w: 190, h: 36, gap: 12, between: 120 }, used = columns.filter((c) => c.length);
        const tall = Math.max(1, ...used.map((c) => c.length)) * (box.h + box.gap) + box.gap;
        const wide = Math.max(1, used.length) * (box.w + box.between) - box.between + 60;
        const svg = shape("svg", { viewBox: "0 0 " + wide + " " + tall, width: wide, role: "img", "aria-label": "Who is joined to whom" });
        const tip = shape("marker", { id: "tip", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
        tip.append(shape("path", { d: "M0 0 L8 4 L0 8 z" })); const defs = shape("defs", {}); defs.append(tip); svg.append(defs);
        const places = new Map();
        used.forEach((column, c) => column.forEach((id, r) => places.set(id, { c, x: 30 + c * (box.w + box.between),
          y: (tall - column.length * (box.h + box.gap) + box.gap) / 2 + r * (box.h + box.gap) })));
        for (const e of lines) {
          const a = places.get(e.from), b = places.get(e.to); if (!a || !b) continue;
          const same = a.c === b.c, ahead = a.c <= b.c;
          const x1 = a.x + (ahead && !same ? box.w : 0), x2 = b.x + (ahead || same ? 0 : box.w), off = same ? 0 : ahead ? -5 : 5,
            y1 = a.y + box.h / 2 + off, y2 = b.y + box.h / 2 + off;
          const bend = same ? -28 : (x2 - x1) / 2;
          const d = "M" + x1 + " " + y1 + " C" + (x1 + bend) + " " + y1 + " " + (same ? x2 - 28 : x2 - bend) + " " + y2 + " " + x2 + " " + y2;
          const line = shape("path", { d, "marker-end": "url(#tip)", class: (joins[e.kind] || "Objects") + " " + (strokes[e.kind] || "") });
          line.append(shape("title", {}, e.kind + (e.state ? " · " + state(e.state) : ""))); svg.append(line);
        }
        for (const [id, p] of places) {
          const n = byId.get(id), g = shape("g", { class: part(n) + " " + level(id) + (id === chosen ? " chosen" : ""), "data-node": id });
          g.append(shape("rect", { x: p.x, y: p.y, width: box.w, height: box.h, rx: part(n) === "Objects" ? 12 : 2 }),
            shape("text", { x: p.x + 8, y: p.y + 15 }, clip(name(n), 25)),
            shape("text", { x: p.x + 8, y: p.y + 29, class: "small" }, clip([n.kind, state(n.state)].filter(Boolean).join(" · "), 32)),
            shape("title", {}, name(n)));
          svg.append(g);
        }
        const words = make("p", note); $("drawing").replaceChildren(...(places.size ? [svg] : []), ...(note ? [words] : []));
      }

      function describe() {
        const n = byId.get(chosen), list = [];
        const row = (k, v) => { if (v !== undefined && v !== "") list.push(make("dt", k), make("dd", clip(String(v), 600))); };
        if (n) {
          row("label", n.label); row("kind", n.kind); row("type", n.type); row("state", state(n.state) || "alive");
          if (n.state && n.state.reason) row("reason", n.state.reason);
          if (n.site) row("site", n.site.file + ":" + n.site.line);
          for (const f of findings.get(n.id) || []) row(f.kind, f.message);
          for (const k of Object.keys(n.counters || {}).sort()) row(k, n.counters[k] + speed((rates.get(n.id) || {})[k]));
          for (const k of Object.keys(n.nanoseconds || {}).sort()) row(k, n.nanoseconds[k] / 1e6 + " ms");
          for (const e of (beside.get(n.id) || []).slice(0, 100)) {
            const other = byId.get(e.from === n.id ? e.to : e.from);
            row(e.kind, (e.from === n.id ? "→ " : "← ") + (other ? name(other) : "") + [e.label, e.priority ? "priority " + e.priority : "",
              e.isolation ? "on " + e.isolation : "", state(e.state)].filter(Boolean).map((t) => " · " + t).join("") +
              Object.keys(e.counters || {}).sort().map((k) => " · " + k + " " + e.counters[k]).join("") +
              Object.keys(e.nanoseconds || {}).sort().map((k) => " · " + k + " " + e.nanoseconds[k] / 1e6 + " ms").join(""));
          }
        }
        $("details").replaceChildren(...list);
      }

      function choose(id) { chosen = id; show(); const item = id === null ? null : $("n" + id); if (item) item.scrollIntoView({ block: "nearest" }); }

      function happened(batch) {
        lost += batch.missed;
        const now = Date.now(); stamps.push([now, batch.events.length + batch.missed]);
        const list = document.createDocumentFragment();
        for (const e of batch.events.slice(-kept).reverse()) {
          const item = make("li", undefined, e.kind);
          item.append(make("b", e.kind), " ", clip(e.label, 120), " ", make("small", [e.count ? "→ " + e.count : "",
            e.microseconds === undefined ? "" : e.microseconds.toFixed(1) + " µs", e.site || "", "#" + e.number].filter(Boolean).join(" · ")));
          list.append(item);
        }
        $("history").prepend(list);
        while ($("history").childElementCount > kept) $("history").lastElementChild.remove();
        rate();
      }
      function rate() {
        const now = Date.now(); stamps = stamps.filter((s) => now - s[0] < 5000);
        const n = stamps.reduce((sum, s) => sum + s[1], 0);
        $("rate").textContent = (n / 5).toFixed(1) + " events/s" + (lost ? ", " + lost + " not shown" : "");
      }

      for (const p of all) {
        const label = make("label", undefined, p), box = make("input"); box.type = "checkbox"; box.checked = true; box.id = "filter-" + p;
        box.addEventListener("change", () => { box.checked ? shown.add(p) : shown.delete(p); show(); });
        label.append(box, " " + p); $("filters").append(label, " ");
      }
      $("search").addEventListener("input", show);
      $("problems").addEventListener("change", show);
      document.addEventListener("click", (event) => { const hit = event.target.closest("[data-node]"); if (hit) choose(Number(hit.dataset.node)); });
      document.addEventListener("keydown", (event) => {
        if (event.key === "/" && document.activeElement !== $("search")) { event.preventDefault(); $("search").focus(); $("search").select(); }
        else if (event.key === "Escape") { $("search").value = ""; $("nodes").focus(); choose(null); }
        else if (event.key === "ArrowDown" || event.key === "ArrowUp" || event.key === "Enter") {
          if (!matching.length || document.activeElement.type === "checkbox") return;
          event.preventDefault();
          const place = matching.findIndex((n) => n.id === chosen);
          const step = event.key === "Enter" ? Math.max(0, place) : place < 0 ? 0 : place + (event.key === "ArrowDown" ? 1 : -1);
          choose(matching[Math.min(matching.length - 1, Math.max(0, step))].id);
        }
      });
      const stream = new EventSource(at("events"));
      stream.addEventListener("hello", () => { $("connection").textContent = "live"; load(); });
      stream.addEventListener("wiring", load);
      stream.addEventListener("missed", (event) => { lost += Number(event.data); rate(); load(); });
      stream.addEventListener("history", (event) => happened(JSON.parse(event.data)));
      stream.onerror = () => { $("connection").textContent = "not connected"; };
      setInterval(rate, 1000);
      """#
  }
#endif
