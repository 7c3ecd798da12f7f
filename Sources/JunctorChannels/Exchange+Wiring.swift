package import JunctorCore

extension Exchange: WiringSource {
  package func report(to builder: inout WiringBuilder) {}
}
