import { testDictionary } from '@tributary/testing/conformance/source/dictionary-suite.ts'
import { xeroStreams } from '../streams.ts'
import { xeroDictionary } from './dictionary.ts'

testDictionary(
  xeroDictionary,
  xeroStreams.map(({ shape }) => shape),
)
