import { deliveryStatuses } from '@postrider/contracts/http/values.ts'
import { oneOf, optionalText, present } from '../../app/search.ts'

/** Reads the URL of an endpoint: the status of the listed deliveries, and the delivery that is open. */
export const deliverySearch = (search: Record<string, unknown>) =>
  present({
    status: oneOf(search['status'], deliveryStatuses),
    delivery: optionalText(search['delivery']),
  })
