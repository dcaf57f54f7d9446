import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { catalogue } from '../../api/queries/common-queries.ts'

/** The connector type in the URL. Its title is the bare name until the catalogue is loaded. */
export function useConnectorType() {
  const { type: name = '' } = useParams()
  const { data } = useQuery(catalogue)
  const type = data?.find(({ Type }) => Type === name)
  return { name, title: type?.Title ?? name, type, isUnknown: data !== undefined && type === undefined }
}
