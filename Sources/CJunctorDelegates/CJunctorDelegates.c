#include "CJunctorDelegates.h"

__thread junctor_calls junctor_current_calls;

uint32_t junctor_fact_count = 0;

junctor_permission junctor_begin_deep_call(junctor_call *call) {
  junctor_calls *calls = &junctor_current_calls;
  // The circle ended with the outermost call.
  if (!call->outer) { calls->has_circle = false; }
  for (const junctor_call *outer = call->outer; outer; outer = outer->outer) {
    if (outer->list != call->list) { continue; }
    bool is_known = calls->has_circle;
    calls->has_circle = true;
    return is_known ? junctor_inside_circle : junctor_found_circle;
  }
  calls->innermost = call;
  return junctor_permitted;
}
