package import JunctorCore

extension Services: WiringSource {
  package func report(to builder: inout WiringBuilder) {}
}
