import { testTarget } from '../../../testing/target-suite.ts'
import { makePostgresBench } from '../../../testing/postgres-bench.ts'

testTarget('PostgreSQL as a target', makePostgresBench)
