import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'

/** For an empty page whose next step is on another one. */
export function OpenMapButton() {
  return (
    <Button component={Link} to={paths.structureMap}>
      Open the structure map
    </Button>
  )
}
