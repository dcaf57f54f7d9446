/** Kills the worker at every crash point of a sync into MariaDB. */
import { describe } from 'vitest'
import { killAtEveryPoint } from './crash-programme.ts'

describe('[ENG-1] a worker killed while it writes to MariaDB', () => {
  killAtEveryPoint('mysql')
})
