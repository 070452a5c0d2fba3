"""Adding over many nodes: the steps of `pincite.add`, for one library in Lance tables.

A driver reads files and hands them out a few at a time; nodes parse them, cut passages, write rows that nobody sees
yet, and make vectors; the driver makes documents visible in commits of many. A node that dies costs the work it had in
hand, which another does again: rows it had written are never seen, and vectors are merged by the hash of their text.
"""
