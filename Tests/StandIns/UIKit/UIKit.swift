// UIKit: what JunctorUIKit uses of it, with its documented lifecycle, so that the tests run on Linux.
