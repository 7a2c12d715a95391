"""Every method, one file a family. Nothing heavy is imported: a measure is named and loaded when it runs."""
