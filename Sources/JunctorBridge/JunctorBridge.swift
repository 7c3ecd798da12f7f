// JunctorBridge: channels beyond one process, whatever carries the messages. The engine behind a bridge is a module of its
// own; see JunctorNATS.
