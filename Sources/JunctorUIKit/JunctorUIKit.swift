// JunctorUIKit: view controllers as receivers, containers and providers of results.
