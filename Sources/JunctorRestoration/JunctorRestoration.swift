// JunctorRestoration: models that outlive the process, in one file.
