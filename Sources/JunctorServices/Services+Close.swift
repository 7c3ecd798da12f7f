extension Services {
  func tearDown(_ box: ServiceBox, of slot: ServiceSlot) {}
}
