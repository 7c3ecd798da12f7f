// JunctorNATS: bridges over a NATS server. Behind the trait `NATS`, because it needs the system library libnats; without
// the trait the module is empty, but for what it re-exports.

@_exported public import JunctorBridge
