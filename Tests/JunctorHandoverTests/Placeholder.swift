import JunctorHandover
import Testing
