#!/usr/bin/env node
/** The command line where Tributary is installed, under the name `tributary`. Plain JavaScript: it is called by a link. */
import '../../server/src/cli.ts'
