"""Sleep appends and refolds in small transactions; being stopped between two of them costs nothing."""
