// JunctorUIKit: view controllers as receivers, containers and providers of results. Empty where there is no UIKit.
