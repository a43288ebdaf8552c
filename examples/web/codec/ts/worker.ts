/** The worker of browsers. The build joins it with all that it imports into one classic script. */

import { serve } from './serve.js';

serve({
  post: (answer, transfer) => self.postMessage(answer, { transfer }),
  listen: (onMessage) => (self.onmessage = (event) => onMessage(event.data)),
});
