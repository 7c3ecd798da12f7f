// JunctorWiring: renderings of the wiring records as text, JSON, Graphviz DOT, Mermaid and SVG.
@_exported public import JunctorCore
