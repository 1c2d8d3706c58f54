# A driver that knows one answer.
printf '%s\n' "path_to_goal: ['Up', 'Left', 'Left']" 'cost_of_path: 3' 'nodes_expanded: 10' \
    'search_depth: 3' 'max_search_depth: 4' 'running_time: 0.00188088' 'max_ram_usage: 0.07812500' > output.txt
