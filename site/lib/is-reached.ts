import { ResponseError, request } from './request.ts'

/** Whether the site itself replies, be it with a reason why it cannot do much; an error page of a proxy has none. */
export async function isReached(): Promise<boolean> {
  try {
    await request('GET /api/health')
    return true
  } catch (error) {
    return error instanceof ResponseError && error.detail !== undefined
  }
}
