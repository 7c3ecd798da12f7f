// JunctorTool: what the command-line tool `junctor` does, as a module that tests can call.
