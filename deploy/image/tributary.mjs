#!/usr/bin/env node
/** The command `tributary` of an installation. Plain JavaScript, because it is called through a symbolic link. */
import '../../server/src/cli.ts'
