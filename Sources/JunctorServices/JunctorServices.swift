// JunctorServices: objects by protocol, from a hierarchy of sets.
internal import JunctorCore
