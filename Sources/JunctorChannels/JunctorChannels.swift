// JunctorChannels: named, typed channels between objects that do not know each other.

@_exported public import JunctorCore
