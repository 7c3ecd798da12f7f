// JunctorInspector: a page that shows the wiring of a running program. Behind the trait `Inspector`, because it needs the
// system library libmicrohttpd; without the trait the module is empty.
