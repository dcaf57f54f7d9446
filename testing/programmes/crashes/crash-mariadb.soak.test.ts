/** Kills at every named point of a sync into MariaDB. */
import { describe } from 'vitest'
import { killAtEveryPoint } from './crash-programme.ts'

describe('[ENG-1] a worker killed on its way into MariaDB', () => {
  killAtEveryPoint('mysql')
})
