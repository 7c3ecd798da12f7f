import JunctorChannels
import Testing
