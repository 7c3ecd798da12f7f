// JunctorServices: objects by protocol, from a hierarchy of sets.
//
// How it is built: a `Services` owns one `ServiceSlot` per key. A slot is a state machine (`ServiceMachine`) behind a
// mutex; each transition returns an action, which `ServiceSlot` carries out after the lock is left. A build in progress
// is a `ServiceBuild`; whoever waits for one is in the `WaitGraph`, which turns a would-be deadlock into an error. What
// is built and cached is published to a table that look-ups read without a lock (CJunctorServices).
