import { LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { testTarget } from '@tributary/testing/conformance/target/target-suite.ts'

testTarget(
  '[LAKE-6] Iceberg as a target',
  () => LakeUnderTest.make(),
  (what) => what === 'sql' || what === 'textLength',
)
