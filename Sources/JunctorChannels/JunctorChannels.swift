// JunctorChannels: named, typed channels between objects that do not know each other.
internal import JunctorCore
