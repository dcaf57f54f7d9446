import { testTarget } from '@tributary/testing/conformance/target/target-suite.ts'
import { makePostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'

testTarget('PostgreSQL as a target', makePostgresBench)
